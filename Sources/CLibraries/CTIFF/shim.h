#pragma once
#include <tiffio.h>

// TIFFGetField is variadic, which Swift cannot call.
static inline int pinpost_tiff_profile(TIFF *tiff, uint32_t *length, const void **bytes) {
    return TIFFGetField(tiff, TIFFTAG_ICCPROFILE, length, bytes);
}
