"""The same conversion with Pillow and pillow-heif: pillow.py IN OUT"""
import sys
import pillow_heif
from PIL import Image

Image.MAX_IMAGE_PIXELS = None
pillow_heif.register_heif_opener()
pillow_heif.options.DECODE_THREADS = 1
with Image.open(sys.argv[1]) as picture:
    picture.convert("RGB").save(sys.argv[2], quality=85)
