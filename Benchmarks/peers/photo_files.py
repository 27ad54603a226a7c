"""The floor of `script/bench photos`: threads that do nothing but make files durable, for so many seconds.

`photo_files.py FOLDER FILE THREADS SECONDS bare|named`: each writes the bytes of FILE to a new file and syncs it;
`named` also gives it its final name and syncs the folder, as a spool has to. The last line is JSON.
"""
import json, os, sys, threading, time


def store(folder, name, content, is_named):
    draft = os.path.join(folder, f"{name}.tmp")
    file = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    rest = memoryview(content)
    while rest:
        rest = rest[os.write(file, rest):]
    os.fsync(file)
    os.close(file)
    if not is_named:
        return
    os.rename(draft, os.path.join(folder, name))
    directory = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    os.fsync(directory)
    os.close(directory)


def main():
    folder, path, threads, seconds, mode = sys.argv[1:]
    with open(path, "rb") as file:
        content = file.read()
    counts, end = [0] * int(threads), time.monotonic() + float(seconds)

    def work(number):
        while time.monotonic() < end:
            store(folder, f"{number}-{counts[number]}", content, mode == "named")
            counts[number] += 1

    workers = [threading.Thread(target=work, args=(number,)) for number in range(len(counts))]
    start = time.monotonic()
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    print(json.dumps({"requests": sum(counts), "seconds": time.monotonic() - start}))


main()
