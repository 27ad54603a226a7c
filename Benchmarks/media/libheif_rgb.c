// The usual way with libheif: decode to RGB, encode. Usage: libheif_rgb IN OUT
#include <libheif/heif.h>
#include <stdio.h>
#include <stdlib.h>
#include <turbojpeg.h>

static void check(struct heif_error error) {
    if (error.code == heif_error_Ok) return;
    fprintf(stderr, "libheif_rgb: %s\n", error.message);
    exit(1);
}

int main(int count, char **words) {
    if (count != 3) return 1;
    struct heif_context *context = heif_context_alloc();
    heif_context_set_max_decoding_threads(context, 0);
    check(heif_context_read_from_file(context, words[1], NULL));
    struct heif_image_handle *handle;
    check(heif_context_get_primary_image_handle(context, &handle));
    struct heif_image *image;
    check(heif_decode_image(handle, &image, heif_colorspace_RGB, heif_chroma_interleaved_RGB, NULL));
    int stride;
    const uint8_t *pixels = heif_image_get_plane_readonly(image, heif_channel_interleaved, &stride);
    unsigned char *file = NULL;
    unsigned long length = 0;
    if (tjCompress2(tjInitCompress(), pixels, heif_image_get_width(image, heif_channel_interleaved), stride,
                    heif_image_get_height(image, heif_channel_interleaved), TJPF_RGB, &file, &length, TJSAMP_420, 85,
                    TJFLAG_ACCURATEDCT))
        return 1;
    FILE *out = fopen(words[2], "wb");
    return !out || fwrite(file, 1, length, out) != length || fclose(out);
}
