// The bare work of the straight way: libde265 for each tile, TurboJPEG for each row of tiles, and nothing else.
// Neither container nor turn, sandbox or splicing; its output is a run of JPEGs. Usage: bare PACK OUT (see heic.py).
#include <libde265/de265.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <turbojpeg.h>

static void fail(const char *words) {
    fprintf(stderr, "bare: %s\n", words);
    exit(1);
}

static uint8_t *load(const char *path, size_t *size) {
    FILE *file = fopen(path, "rb");
    if (!file || fseek(file, 0, SEEK_END)) fail("cannot open");
    *size = (size_t)ftell(file);
    rewind(file);
    uint8_t *bytes = malloc(*size);
    if (!bytes || fread(bytes, 1, *size, file) != *size) fail("cannot read");
    fclose(file);
    return bytes;
}

// The next run of the pack: its length in 4 bytes, then its NAL units, each with a length of 4 bytes.
static const uint8_t *push(de265_decoder_context *decoder, const uint8_t *run) {
    uint32_t left, length;
    memcpy(&left, run, 4);
    for (run += 4; left > 0; run += length, left -= length + 4) {
        memcpy(&length, run, 4);
        run += 4;
        de265_push_NAL(decoder, run, (int)length, 0, NULL);
    }
    return run;
}

static const struct de265_image *picture(de265_decoder_context *decoder) {
    de265_flush_data(decoder);
    for (int more = 1; more;) {
        more = 0;
        if (de265_decode(decoder, &more) != DE265_OK) break;
        const struct de265_image *image = de265_peek_next_picture(decoder);
        if (image) return image;
    }
    fail("no picture");
    return NULL;
}

int main(int count, char **words) {
    if (count != 3) fail("two files are needed");
    size_t size;
    const uint8_t *pack = load(words[1], &size);
    uint32_t head[5];  // width, height, tile width, tile height, columns
    memcpy(head, pack, sizeof head);
    const uint8_t *sets = pack + sizeof head;
    de265_decoder_context *decoder = de265_new_decoder();
    const uint8_t *next = push(decoder, sets);
    uint32_t stride = head[2] * head[4];
    uint8_t *planes[3] = {malloc((size_t)stride * head[3]), malloc((size_t)stride * head[3] / 4),
                          malloc((size_t)stride * head[3] / 4)};
    int strides[3] = {(int)stride, (int)stride / 2, (int)stride / 2};
    tjhandle encoder = tjInitCompress();
    unsigned long room = tjBufSize((int)head[0], (int)head[3], TJSAMP_420);
    unsigned char *file = malloc(room);
    FILE *out = fopen(words[2], "wb");
    if (!out) fail("cannot write");
    int first = 1;
    for (uint32_t top = 0; top < head[1]; top += head[3]) {
        for (uint32_t column = 0; column < head[4]; column++) {
            if (!first) {
                de265_reset(decoder);
                push(decoder, sets);
            }
            first = 0;
            next = push(decoder, next);
            const struct de265_image *image = picture(decoder);
            for (int plane = 0; plane < 3; plane++) {
                int from;
                const uint8_t *source = de265_get_image_plane(image, plane, &from);
                uint32_t width = head[2] >> (plane > 0), height = head[3] >> (plane > 0);
                for (uint32_t y = 0; y < height; y++)
                    memcpy(planes[plane] + (size_t)y * strides[plane] + column * width, source + (size_t)y * from, width);
            }
        }
        unsigned long length = room;
        uint32_t rows = head[1] - top < head[3] ? head[1] - top : head[3];
        if (tjCompressFromYUVPlanes(encoder, (const unsigned char **)planes, (int)head[0], strides, (int)rows, TJSAMP_420,
                                    &file, &length, 85, TJFLAG_ACCURATEDCT | TJFLAG_NOREALLOC))
            fail(tjGetErrorStr2(encoder));
        fwrite(file, 1, length, out);
    }
    return fclose(out) != 0;
}
