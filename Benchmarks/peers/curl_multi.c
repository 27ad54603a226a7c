/* The peer of `script/bench http`: libcurl's multi interface in C, as plain as it can be.
   curl_multi PORT REQUESTS IN_FLIGHT prints one line of JSON. */
#include <curl/curl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

typedef struct { char bytes[4096]; size_t count; } body;

static size_t take(char *data, size_t size, size_t count, void *context) {
    body *answer = context;
    size_t length = size * count;
    if (answer->count + length > sizeof answer->bytes) return 0;
    memcpy(answer->bytes + answer->count, data, length);
    answer->count += length;
    return length;
}

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec + t.tv_nsec * 1e-9;
}

static double cpu(void) {
    struct rusage u;
    getrusage(RUSAGE_SELF, &u);
    return u.ru_utime.tv_sec + u.ru_stime.tv_sec + (u.ru_utime.tv_usec + u.ru_stime.tv_usec) * 1e-6;
}

int main(int argc, char **argv) {
    if (argc != 4) { fputs("usage: curl_multi PORT REQUESTS IN_FLIGHT\n", stderr); return 2; }
    char url[64];
    snprintf(url, sizeof url, "http://127.0.0.1:%d/", atoi(argv[1]));
    long total = atol(argv[2]), width = atol(argv[3]), started = 0, done = 0;
    curl_global_init(CURL_GLOBAL_ALL);
    CURLM *multi = curl_multi_init();
    body *answers = calloc(width, sizeof *answers);
    double begin = now();
    for (; started < width && started < total; started++) {
        CURL *easy = curl_easy_init();
        curl_easy_setopt(easy, CURLOPT_URL, url);
        curl_easy_setopt(easy, CURLOPT_PROXY, "");
        curl_easy_setopt(easy, CURLOPT_NOSIGNAL, 1L);
        curl_easy_setopt(easy, CURLOPT_TIMEOUT_MS, 60000L);
        curl_easy_setopt(easy, CURLOPT_WRITEFUNCTION, take);
        curl_easy_setopt(easy, CURLOPT_WRITEDATA, &answers[started]);
        curl_easy_setopt(easy, CURLOPT_PRIVATE, &answers[started]);
        curl_multi_add_handle(multi, easy);
    }
    while (done < total) {
        int active = 0, left = 0;
        curl_multi_perform(multi, &active);
        for (CURLMsg *message; (message = curl_multi_info_read(multi, &left));) {
            CURL *easy = message->easy_handle;
            body *answer;
            long status = 0;
            curl_easy_getinfo(easy, CURLINFO_PRIVATE, &answer);
            curl_easy_getinfo(easy, CURLINFO_RESPONSE_CODE, &status);
            if (message->data.result != CURLE_OK || status != 200 || answer->count != 100) {
                fputs("curl_multi: a wrong answer\n", stderr);
                return 1;
            }
            done++;
            curl_multi_remove_handle(multi, easy);
            answer->count = 0;
            if (started < total) { started++; curl_multi_add_handle(multi, easy); } else curl_easy_cleanup(easy);
        }
        if (done < total) curl_multi_poll(multi, NULL, 0, 1000, NULL);
    }
    double seconds = now() - begin;
    printf("{\"requests_s\": %f, \"cpu_us\": %f}\n", total / seconds, cpu() / total * 1e6);
    curl_multi_cleanup(multi);
    return 0;
}
