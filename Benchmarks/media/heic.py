"""Reads HEIC files made of HEVC tiles, packs them for `bare`, and builds larger ones out of their tiles."""
import dataclasses, struct


def boxes(data, start, end):
    while start + 8 <= end:
        size, kind = struct.unpack(">I4s", data[start:start + 8])
        header = 8
        if size == 1:
            size, header = struct.unpack(">Q", data[start + 8:start + 16])[0], 16
        yield kind, start + header, start + size if size else end
        start += size or end


def number(data, start, count):
    return int.from_bytes(data[start:start + count], "big")


@dataclasses.dataclass
class Photo:
    width: int
    height: int
    tile_width: int
    tile_height: int
    columns: int
    setup: bytes  # the payload of hvcC
    tiles: list

    @property
    def units(self):
        """The parameter sets."""
        position, sets = 23, []
        for _ in range(self.setup[22]):
            count = number(self.setup, position + 1, 2)
            position += 3
            for _ in range(count):
                length = number(self.setup, position, 2)
                sets.append(self.setup[position + 2:position + 2 + length])
                position += 2 + length
        return sets

    def pack(self):
        """The form that `bare` reads: little-endian numbers, runs of NAL units with lengths of 4 bytes."""
        def run(units):
            body = b"".join(struct.pack("<I", len(unit)) + unit for unit in units)
            return struct.pack("<I", len(body)) + body

        def split(tile):
            position = 0
            while position < len(tile):
                length = number(tile, position, 4)
                yield tile[position + 4:position + 4 + length]
                position += 4 + length
        head = struct.pack("<5I", self.width, self.height, self.tile_width, self.tile_height, self.columns)
        return head + run(self.units) + b"".join(run(split(tile)) for tile in self.tiles)

    def enlarged(self, width, height):
        """A photo of another size out of the same tiles, used again and again."""
        columns = -(-width // self.tile_width)
        count = columns * -(-height // self.tile_height)
        tiles = [self.tiles[index % len(self.tiles)] for index in range(count)]
        return Photo(width, height, self.tile_width, self.tile_height, columns, self.setup, tiles)

    def file(self):
        """A HEIC file: a grid, turned by a quarter as phones do."""
        box = lambda kind, body: struct.pack(">I4s", 8 + len(body), kind) + body
        full = lambda kind, body, version=0, flags=0: box(kind, struct.pack(">I", version << 24 | flags) + body)
        count, grid = len(self.tiles), len(self.tiles) + 1
        # Tiles are hidden, as phones write them; GraphicsMagick takes no file that seems to show several pictures.
        item = lambda id, kind: full(b"infe", struct.pack(">HH4s", id, 0, kind) + b"\0", 2, int(kind == b"hvc1"))
        size = lambda width, height: full(b"ispe", struct.pack(">II", width, height))
        layout = bytes([0, 0, count // self.columns - 1, self.columns - 1]) + struct.pack(">HH", self.width, self.height)
        properties = box(b"hvcC", self.setup) + size(self.tile_width, self.tile_height) + size(self.width, self.height)
        properties += box(b"irot", b"\3")
        uses = b"".join(struct.pack(">HB", id + 1, 2) + b"\x81\2" for id in range(count))
        uses += struct.pack(">HB", grid, 2) + b"\3\4"

        def meta(start):
            places, position = b"", start
            for id, tile in enumerate(self.tiles):
                places += struct.pack(">HHHHII", id + 1, 0, 0, 1, position, len(tile))
                position += len(tile)
            places += struct.pack(">HHHHII", grid, 1, 0, 1, 0, len(layout))
            references = struct.pack(f">HH{count}H", grid, count, *range(1, count + 1))
            return full(b"meta", full(b"hdlr", b"\0\0\0\0pict" + b"\0" * 13) + full(b"pitm", struct.pack(">H", grid))
                        + full(b"iinf", struct.pack(">H", count + 1) + b"".join(item(id + 1, b"hvc1") for id in range(count))
                               + item(grid, b"grid"))
                        + full(b"iref", box(b"dimg", references))
                        + box(b"iprp", box(b"ipco", properties) + full(b"ipma", struct.pack(">I", count + 1) + uses))
                        + box(b"idat", layout)
                        + full(b"iloc", bytes([0x44, 0]) + struct.pack(">H", count + 1) + places, 1))
        kind = box(b"ftyp", b"heic\0\0\0\0mif1heic")
        start = len(kind) + len(meta(0)) + 8
        return kind + meta(start) + box(b"mdat", b"".join(self.tiles))


def read(data):
    """The primary picture of a file that a phone made: a grid of tiles in one piece each."""
    meta = next((start + 4, end) for kind, start, end in boxes(data, 0, len(data)) if kind == b"meta")
    parts = {kind: (start, end) for kind, start, end in boxes(data, *meta)}
    primary = number(data, parts[b"pitm"][0] + 4, 2)
    places = read_places(data, parts)
    tiles = []
    start, end = parts[b"iref"]
    for kind, position, _ in boxes(data, start + 4, end):
        if kind == b"dimg" and number(data, position, 2) == primary:
            tiles = [number(data, position + 4 + 2 * index, 2) for index in range(number(data, position + 2, 2))]
    of_grid, of_tile = (read_properties(data, parts, id) for id in (primary, tiles[0]))
    layout = places[primary]
    fields = 4 if layout[1] & 1 else 2
    return Photo(number(layout, 4, fields), number(layout, 4 + fields, fields), number(of_tile[b"ispe"], 4, 4),
                 number(of_tile[b"ispe"], 8, 4), layout[3] + 1, of_tile[b"hvcC"], [places[id] for id in tiles])


def read_places(data, parts):
    position = parts[b"iloc"][0]
    version, sizes = data[position], number(data, position + 4, 2)
    offset_size, length_size, base_size = sizes >> 12, sizes >> 8 & 15, sizes >> 4 & 15
    count, position, places = number(data, position + 6, 2), position + 8, {}
    for _ in range(count):
        id, method = number(data, position, 2), 0
        position += 2
        if version == 1:
            method, position = number(data, position, 2), position + 2
        base = number(data, position + 2, base_size)
        position += 2 + base_size
        pieces, position, content = number(data, position, 2), position + 2, b""
        for _ in range(pieces):
            start = base + number(data, position, offset_size) + (parts[b"idat"][0] if method else 0)
            length = number(data, position + offset_size, length_size)
            content += data[start:start + length]
            position += offset_size + length_size
        places[id] = content
    return places


def read_properties(data, parts, wanted):
    known, found = [], {}
    for kind, start, end in boxes(data, *parts[b"iprp"]):
        if kind == b"ipco":
            known = [(name, data[first:last]) for name, first, last in boxes(data, start, end)]
        if kind == b"ipma":
            wide, count, position = data[start + 3] & 1, number(data, start + 4, 4), start + 8
            for _ in range(count):
                id, uses = number(data, position, 2), data[position + 2]
                position += 3
                for _ in range(uses):
                    index = number(data, position, 1 + wide) & (0x7FFF if wide else 0x7F)
                    position += 1 + wide
                    if id == wanted and index:
                        found.setdefault(*known[index - 1])
    return found
