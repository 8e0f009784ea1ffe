// Includes what OpenSSL 3.0 calls deprecated: digests that are plain values and need no provider (SHA256_Update), and ECDSA with a
// given nonce, for which the newer functions have a parameter from 3.2 on only.
#define OPENSSL_SUPPRESS_DEPRECATED
#include <openssl/bn.h>
#include <openssl/crypto.h>
#include <openssl/ec.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <openssl/md5.h>
#include <openssl/objects.h>
#include <openssl/rsa.h>
#include <openssl/sha.h>
#include <openssl/x509.h>
