/* Parses mails from files with GMime and decodes every part into nothing: gmime_decode FILE..., one line of JSON. */
#include <fcntl.h>
#include <gmime/gmime.h>
#include <stdio.h>
#include <sys/resource.h>
#include <unistd.h>

static long parts;

static void decode(GMimeObject *parent, GMimeObject *part, gpointer data) {
    if (!GMIME_IS_PART(part)) return;
    GMimeDataWrapper *content = g_mime_part_get_content(GMIME_PART(part));
    if (!content) return;
    g_mime_data_wrapper_write_to_stream(content, GMIME_STREAM(data));
    parts++;
}

int main(int count, char **paths) {
    long bytes = 0;
    g_mime_init();
    for (int i = 1; i < count; i++) {
        GMimeStream *file = g_mime_stream_fs_new(open(paths[i], O_RDONLY));
        GMimeParser *parser = g_mime_parser_new_with_stream(file);
        GMimeMessage *message = g_mime_parser_construct_message(parser, NULL);
        GMimeStream *nothing = g_mime_stream_null_new();
        if (message) g_mime_message_foreach(message, decode, nothing);
        bytes += g_mime_stream_length(file);
        g_object_unref(nothing);
        if (message) g_object_unref(message);
        g_object_unref(parser);
        g_object_unref(file);
    }
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    double cpu = usage.ru_utime.tv_sec + usage.ru_stime.tv_sec + (usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1e6;
    printf("{\"bytes\":%ld,\"items\":%ld,\"cpu_s\":%.3f,\"rss_kib\":%ld}\n", bytes, parts, cpu, usage.ru_maxrss);
}
