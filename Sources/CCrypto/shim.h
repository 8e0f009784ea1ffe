// Includes calls that OpenSSL 3.0 declares deprecated: digests that are plain values and need no provider
// (SHA256_Update), and ECDSA with a given nonce, for which the newer calls have a parameter only from 3.2 on.
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
