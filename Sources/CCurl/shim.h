// libcurl, with its calls that take any number of arguments, which Swift cannot call, as functions.
#include <curl/curl.h>

static inline CURLcode curl_set_number(CURL *transfer, CURLoption option, long number) {
    return curl_easy_setopt(transfer, option, number);
}

static inline CURLcode curl_set_text(CURL *transfer, CURLoption option, const char *text) {
    return curl_easy_setopt(transfer, option, text);
}

// Calls `receive` with `context` for each received piece, and `progress` at least once a second; `progress` can end
// the transfer by returning a value other than 0.
static inline CURLcode curl_set_callbacks(CURL *transfer, curl_write_callback receive, curl_xferinfo_callback progress,
                                          void *context) {
    CURLcode result = curl_easy_setopt(transfer, CURLOPT_WRITEFUNCTION, receive);
    if (result == CURLE_OK) result = curl_easy_setopt(transfer, CURLOPT_WRITEDATA, context);
    if (result == CURLE_OK) result = curl_easy_setopt(transfer, CURLOPT_XFERINFOFUNCTION, progress);
    if (result == CURLE_OK) result = curl_easy_setopt(transfer, CURLOPT_XFERINFODATA, context);
    return result == CURLE_OK ? curl_easy_setopt(transfer, CURLOPT_NOPROGRESS, 0L) : result;
}

// The HTTP status of the answer; 0 if there was no answer.
static inline long curl_status(CURL *transfer) {
    long status = 0;
    curl_easy_getinfo(transfer, CURLINFO_RESPONSE_CODE, &status);
    return status;
}
