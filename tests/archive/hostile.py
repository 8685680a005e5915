#!/usr/bin/env python3
"""Hostile archives, made from a good one: each breaks one rule.

usage: hostile.py GOOD.tar.zst DIRECTORY. Writes DIRECTORY/NAME.EXIT, EXIT being what unpack and verify have to exit with: 3, or 1 for
a bag whose hashes or files differ. Needs zstd; prints how many it made.
"""
import bz2
import gzip
import hashlib
import io
import lzma
import random
import re
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

GOOD, OUT = Path(sys.argv[1]), Path(sys.argv[2])
TOP = "bundle/"


def zstd(data, *options):
    return subprocess.run(["zstd", "-q", "-c", *options], input=data, stdout=subprocess.PIPE, check=True).stdout


good_zst = GOOD.read_bytes()
good_tar = subprocess.run(["zstd", "-q", "-d", "-c", str(GOOD)], stdout=subprocess.PIPE, check=True).stdout
TEMPLATE = good_tar[:512]
entries = [(m.name, tarfile.open(fileobj=io.BytesIO(good_tar)).extractfile(m.name).read()) for m in tarfile.open(fileobj=io.BytesIO(good_tar))]
count = 0


def checksum(header):
    header = header[:148] + b" " * 8 + header[156:]
    return header[:148] + b"%06o\0 " % sum(header) + header[156:]


def patch(header, at, data):
    return header[:at] + data + header[at + len(data):]


def header(name, size, kind=b"0", link=b"", **fields):
    """As pack's, with these fields; name is bytes."""
    block = patch(TEMPLATE, 0, name[:100].ljust(100, b"\0"))
    block = patch(block, 124, b"%011o\0" % size)
    block = patch(block, 156, kind)
    block = patch(block, 157, link.ljust(100, b"\0"))
    for at, data in fields.values():
        block = patch(block, at, data)
    return checksum(block)


def pad(data):
    return data + b"\0" * (-len(data) % 512)


def entry(name, data=b"", kind=b"0", link=b"", size=None, **fields):
    if isinstance(name, str):
        name = name.encode()
    head = b""
    if len(name) > 100:
        head = long_name(name)
    return head + header(name, len(data) if size is None else size, kind, link, **fields) + pad(data)


def long_name(name, kind=b"L"):
    link = header(b"././@LongLink", len(name) + 1, kind, mode=(100, b"0000000\0"), time=(136, b"00000000000\0"), user=(265, b"root"), group=(297, b"wheel"))
    return link + pad(name + b"\0")


END = b"\0" * 1024


def tar(files):
    return b"".join(entry(n, d) for n, d in files) + END


def put(name, data, code=3):
    global count
    (OUT / f"{name}.{code}").write_bytes(data)
    count += 1


def put_tar(name, data, code=3):
    put(name, zstd(data), code)


assert tar(entries) == good_tar, "the builder does not make what pack makes"


def sha(data):
    return hashlib.sha256(data).hexdigest()


def line(name, data):
    return f"{sha(data)}  " + name[len(TOP):].replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A") + "\n"


def bag(files, keep_manifest=False, keep_tags=False):
    """Make both manifests anew around changed files, as somebody who forges a bag would."""
    files = dict(files)
    if not keep_manifest:
        files[TOP + "manifest-sha256.txt"] = "".join(
            line(n, d) for n, d in sorted(files.items(), key=lambda f: f[0].encode("utf-8", "surrogateescape"))
            if n.startswith(TOP + "data/")).encode("utf-8", "surrogateescape")
    if not keep_tags:
        files[TOP + "tagmanifest-sha256.txt"] = "".join(
            line(n, d) for n, d in sorted(files.items())
            if not n.startswith(TOP + "data/") and n != TOP + "tagmanifest-sha256.txt").encode()
    return sorted(files.items(), key=lambda f: f[0].encode("utf-8", "surrogateescape"))


FIRST = TOP + "data/artifact/0"   # sorts before every other file of data/, after bagit.txt
first_at = next(i for i, (n, _) in enumerate(entries) if n.startswith(TOP + "data/"))


def insert(raw):
    """The good archive with something before its first payload file."""
    return tar(entries[:first_at])[:-1024] + raw + b"".join(entry(n, d) for n, d in entries[first_at:]) + END


# Kinds.
for name, kind, link in [("symlink", b"2", b"/etc/passwd"), ("symlink-inside", b"2", b"../bagit.txt"), ("hardlink-outside", b"1", b"/etc/passwd"),
                         ("hardlink-parent", b"1", b"../../victim"), ("hardlink-inside", b"1", b"bundle/bagit.txt"), ("character-device", b"3", b""),
                         ("block-device", b"4", b""), ("directory", b"5", b""), ("fifo", b"6", b""), ("contiguous", b"7", b""),
                         ("unknown-kind", b"Z", b""), ("dumpdir", b"D", b""), ("multivolume", b"M", b""), ("volume-label", b"V", b""),
                         ("sparse", b"S", b""), ("solaris-extended", b"X", b"")]:
    put_tar(name, insert(entry(FIRST, b"", kind, link)))
put_tar("symlink-then-through", insert(entry(FIRST, b"", b"2", b"/tmp") + entry(FIRST + "/x", b"x")))
put_tar("regular-as-v7-directory", insert(entry(FIRST + "/", b"")))

# Names.
for name, path in [("dotdot", "../victim"), ("dotdot-deep", TOP + "data/artifact/../../../../victim"), ("absolute", "/tmp/ptxseal-victim"),
                   ("empty-part", TOP + "data//x"), ("dot-part", TOP + "data/./x"), ("dotdot-last", TOP + "data/artifact/.."), ("empty-name", ""),
                   ("other-top", "elsewhere/x"), ("top-itself", "bundle"), ("top-slash", TOP), ("no-top", "bagit.txt"), ("backslashes", "bundle\\..\\..\\x"),
                   ("drive", "C:/victim"), ("too-long", TOP + "data/artifact/" + "/".join(["x" * 200] * 6)), ("too-deep", TOP + "data/artifact" + "/d" * 70),
                   ("megabyte-name", TOP + "x" * 900000), ("long-part", TOP + "data/artifact/" + "n" * 300)]:
    put_tar("name-" + name, insert(entry(path, b"x")))
put_tar("name-not-utf8", insert(entry(b"bundle/data/artifact/\xff\xfe", b"x")))
put_tar("name-overlong-utf8", insert(entry(b"bundle/data/artifact/\xc0\xae\xc0\xae/x", b"x")))
put_tar("name-surrogate", insert(entry(b"bundle/data/artifact/\xed\xa0\x80", b"x")))
put_tar("name-nul", insert(entry(b"bundle/data/artifact/0\0.txt", b"x")))
put_tar("name-long-with-nul", insert(long_name(b"bundle/data/artifact/" + b"0" * 90 + b"\0/../../x") + header(b"bundle/data/artifact/" + b"0" * 79, 1) + pad(b"x")))
put_tar("name-newline", tar(bag(entries + [(TOP + "data/evil\nname", b"x")])))

# Order.
put_tar("order-swapped", tar(entries[:2] + [entries[3], entries[2]] + entries[4:]))
put_tar("order-reversed", tar(entries[::-1]))
put_tar("duplicate", tar(entries[:3] + [entries[2]] + entries[3:]))
put_tar("duplicate-other-bytes", tar(entries[:3] + [(entries[2][0], b"other")] + entries[3:]))
put_tar("duplicate-at-the-end", tar(entries + [entries[0]]))
put_tar("beneath-a-file", insert(entry(FIRST, b"x") + entry(FIRST + "/x", b"x")))
put_tar("beneath-a-file-apart", insert(entry(FIRST, b"x") + entry(FIRST + "-", b"x") + entry(FIRST + "/x", b"x")))
put_tar("case-collision", tar(bag(entries + [(TOP + "data/artifact/A", b"1"), (TOP + "data/artifact/a", b"2")])))
put_tar("case-collision-directory", tar(bag(entries + [(TOP + "data/artifact/D/1", b"1"), (TOP + "data/artifact/d/2", b"2")])))
put_tar("case-collision-sealed-name", tar(bag(entries + [(TOP + "data/Artifact/x", b"1")])))

# Extensions of tar that say something else than the header.
def pax(records, kind=b"x"):
    body = b""
    for key, value in records:
        record = key + b"=" + value + b"\n"
        size = len(record) + 3
        while len(b"%d " % size + record) != size:
            size = len(b"%d " % size + record)
        body += b"%d " % size + record
    return checksum(patch(header(b"PaxHeader/x", len(body), kind), 257, b"ustar\x0000")) + pad(body)


put_tar("pax-path", insert(pax([(b"path", b"../victim")]) + entry(FIRST, b"x")))
put_tar("pax-path-good", insert(pax([(b"path", FIRST.encode())]) + entry("x", b"x")))
put_tar("pax-absolute", insert(pax([(b"path", b"/tmp/ptxseal-victim")]) + entry(FIRST, b"x")))
put_tar("pax-linkpath", insert(pax([(b"linkpath", b"/etc/passwd")]) + entry(FIRST, b"x")))
put_tar("pax-size", insert(pax([(b"size", b"99999999999")]) + entry(FIRST, b"x")))
put_tar("pax-size-negative", insert(pax([(b"size", b"-1")]) + entry(FIRST, b"x")))
put_tar("pax-global", insert(pax([(b"path", b"../victim")], b"g") + entry(FIRST, b"x")))
put_tar("pax-sparse", insert(pax([(b"GNU.sparse.major", b"1"), (b"GNU.sparse.minor", b"0"), (b"GNU.sparse.name", b"../victim"), (b"GNU.sparse.realsize", b"1")]) + entry(FIRST, b"1\n0\n1\n")))
put_tar("pax-charset", insert(pax([(b"hdrcharset", b"BINARY"), (b"path", b"bundle/\xff")]) + entry(FIRST, b"x")))
put_tar("pax-xattr", insert(pax([(b"SCHILY.xattr.security.capability", b"x"), (b"SCHILY.acl.access", b"user::rwx")]) + entry(FIRST, b"x")))
put_tar("pax-broken", insert(checksum(patch(header(b"PaxHeader/x", 9, b"x"), 257, b"ustar\x0000")) + pad(b"999 path=")) )
put_tar("gnu-long-name-short", insert(long_name(FIRST.encode()) + entry(FIRST, b"x")))
put_tar("gnu-long-name-escape", insert(long_name(b"../victim") + entry(FIRST, b"x")))
put_tar("gnu-long-name-twice", insert(long_name(b"bundle/" + b"a" * 120) + long_name(b"../victim") + entry(FIRST, b"x")))
put_tar("gnu-long-link", insert(long_name(b"/etc/passwd", b"K") + entry(FIRST, b"", b"2", b"x")))
put_tar("gnu-long-link-on-file", insert(long_name(b"/etc/passwd", b"K") + entry(FIRST, b"x")))
put_tar("gnu-long-name-huge", insert(checksum(patch(header(b"././@LongLink", 0, b"L"), 124, b"77777777777\0")) + entry(FIRST, b"x")))
put_tar("gnu-long-name-last", tar(entries)[:-1024] + long_name(b"bundle/" + b"z" * 120) + END)
put_tar("ustar-entry", insert(entry(FIRST, b"x", magic=(257, b"ustar\x0000"))))
put_tar("ustar-prefix", insert(entry("x", b"x", magic=(257, b"ustar\x0000"), prefix=(345, b"../../victim"))))
put_tar("v7-entry", insert(entry(FIRST, b"x", magic=(257, b"\0" * 8))))
put_tar("gnu-offset-fields", insert(entry(FIRST, b"x", offset=(345, b"../../victim"))))

# Sizes.
put_tar("size-huge", insert(entry(FIRST, b"x", size=0o77777777777)))
put_tar("size-base256", insert(entry(FIRST, b"x", size_field=(124, b"\x80" + b"\0" * 3 + b"\x7f" + b"\xff" * 7))))
put_tar("size-negative", insert(entry(FIRST, b"x", size_field=(124, b"\xff" * 12))))
put_tar("size-not-octal", insert(entry(FIRST, b"x", size_field=(124, b"0000000009x\0"))))
put_tar("size-too-small", insert(entry(FIRST, b"x" * 600, size=1)))
put_tar("size-past-the-end", tar(entries[:-1])[:-1024] + header(entries[-1][0].encode(), 10 ** 6) + pad(entries[-1][1]) + END)

# Fields that pack writes in one way.
for name, at, data in [("mode-setuid", 100, b"0004755\0"), ("mode-other", 100, b"0000600\0"), ("uid", 108, b"0001750\0"), ("gid", 116, b"0001750\0"),
                       ("mtime", 136, b"14000000000\0"), ("mtime-base256", 136, b"\x80" + b"\0" * 10 + b"\x01"), ("user-name", 265, b"root"),
                       ("group-name", 297, b"root"), ("device-major", 329, b"0000001\0"), ("unused-bytes", 500, b"hidden")]:
    put_tar("field-" + name, checksum(patch(good_tar[:512], at, data)) + good_tar[512:])
put_tar("checksum", patch(good_tar, 148, b"000000\0 "))
put_tar("name-after-nul", checksum(patch(good_tar[:512], 90, b"hidden")) + good_tar[512:])
put_tar("padding", good_tar[:512 + len(entries[0][1])] + b"h" + good_tar[513 + len(entries[0][1]):])

# The end.
put_tar("end-missing", good_tar[:-1024])
put_tar("end-half", good_tar[:-512])
put_tar("end-padded", good_tar + b"\0" * 512)
put_tar("end-record", good_tar + b"\0" * (-len(good_tar) % 10240 or 10240))
put_tar("end-garbage", good_tar + b"garbage")
put_tar("end-second-archive", good_tar + good_tar)
put_tar("end-in-the-middle", good_tar[:512 + 512] + END + good_tar[1024:])
put_tar("zeros-between", insert(b"\0" * 512))
put_tar("garbage-between", insert(b"\x55" * 512))
put_tar("no-entries", END)
put_tar("nothing", b"")
for part in range(1, 8):
    put_tar(f"tar-cut-{part}", good_tar[:len(good_tar) * part // 8 + 7])

# Other formats and filters.
zipped = io.BytesIO()
with zipfile.ZipFile(zipped, "w") as z:
    for n, d in entries:
        z.writestr(n, d)
cpio = b"070701" + b"00000000" * 13 + b"TRAILER!!!\0"
put("filter-gzip", gzip.compress(good_tar, mtime=0))
put("filter-xz", lzma.compress(good_tar))
put("filter-bzip2", bz2.compress(good_tar))
put("filter-none", good_tar)
put("zip", zipped.getvalue())
put("empty-file", b"")
put("one-byte", b"\x28")
put("magic-alone", b"\x28\xb5\x2f\xfd")
put("text", b"hello\n" * 100)
put_tar("zip-inside", zipped.getvalue())
put_tar("cpio-inside", cpio)
put_tar("gzip-inside", gzip.compress(good_tar, mtime=0))
put_tar("zstd-inside", good_zst)
put_tar("archive-in-an-archive", tar([(TOP + "a.tar.zst", good_zst)]))
iso = bytearray(40 * 2048)
iso[16 * 2048:16 * 2048 + 6] = b"\x01CD001"
put_tar("iso-inside", bytes(iso))
put_tar("mtree-inside", b"#mtree\n./x type=file\n")

# The frame.
SKIP = b"\x50\x2a\x4d\x18\x04\0\0\0skip"
put("frame-twice", good_zst + good_zst)
put("frame-split", zstd(good_tar[:1024]) + zstd(good_tar[1024:]))
put("frame-skippable-first", SKIP + good_zst)
put("frame-skippable-after", good_zst + SKIP)
put("frame-trailing-byte", good_zst + b"\0")
put("frame-no-checksum", zstd(good_tar, "--no-check"))
put("frame-wrong-checksum", good_zst[:-1] + bytes([good_zst[-1] ^ 1]))
put("frame-long-window", zstd(good_tar, "--long=27"))
put("frame-window-16m", zstd(good_tar, "--long=24"))
put("frame-reserved-bit", good_zst[:4] + bytes([good_zst[4] | 8]) + good_zst[5:])
for part in range(1, 12):
    put(f"frame-cut-{part}", good_zst[:len(good_zst) * part // 12])
put("frame-cut-last-byte", good_zst[:-1])
for part in range(1, 9):
    at = len(good_zst) * part // 9
    put(f"frame-flipped-{part}", good_zst[:at] + bytes([good_zst[at] ^ 0x55]) + good_zst[at + 1:])

# Bombs.
put_tar("bomb-zeros", insert(entry(FIRST, b"\0" * (192 << 20))))
put("bomb-many-files", zstd(insert(b"".join(entry(f"{FIRST}/{i:06}") for i in range(200001)))))

# Memory: what is not asked for is not kept, and what is listed is limited.
noise = random.Random(1).randbytes(8 << 20)
put_tar("memory-tags", insert(entry(TOP + "a000", noise) + b"".join(entry(f"{TOP}b{i:03}", b"\0" * (64 << 20)) for i in range(4))))
put_tar("memory-one-tag", tar([(TOP + "bag-info.txt", b"\n" * (60 << 20))] + entries[1:]))
put_tar("memory-manifest", tar([(n, d + b"\n" * (60 << 20) if n == TOP + "manifest-sha256.txt" else d) for n, d in entries]))
put_tar("memory-unplaced", insert(entry(TOP + "data/0", noise) + b"".join(entry(f"{TOP}data/1{i:03}", b"\0" * (64 << 20)) for i in range(4))))
put_tar("memory-kept", insert(entry(TOP + "data/artifact/0", noise) + b"".join(entry(f"{TOP}data/artifact/1{i:03}", b"\0" * (40 << 20)) for i in range(4))), 1)
put_tar("memory-names", insert(b"".join(entry(f"{FIRST}/{i:06}" + "n" * 240 + "/" + "m" * 250 + "/" + "o" * 250 + "/x") for i in range(60000))))
put_tar("memory-directories", insert(b"".join(entry(f"{FIRST}/{i:06}" + "/ddddddddddddd" * 58 + "/x") for i in range(60000))))

# The bag.
files = dict(entries)
payload = TOP + "data/artifact/runs/first/turns.jsonl"
manifest, tags, info = TOP + "manifest-sha256.txt", TOP + "tagmanifest-sha256.txt", TOP + "bag-info.txt"


def put_bag(name, new, code, drop=(), **how):
    kept = {n: d for n, d in files.items() if n not in drop}
    kept.update(new)
    put_tar("bag-" + name, tar(bag(kept, **how)), code)


put_bag("payload-changed", {payload: files[payload].replace(b"0", b"1")}, 1, keep_manifest=True, keep_tags=True)
put_bag("payload-missing", {}, 1, [payload], keep_manifest=True, keep_tags=True)
put_bag("payload-extra", {TOP + "data/artifact/extra": b"x"}, 1, keep_manifest=True, keep_tags=True)
put_bag("tag-changed", {info: files[info] + b"Contact-Name: x\n"}, 1, keep_tags=True)
put_bag("manifest-changed", {manifest: b"0" * 64 + files[manifest][64:]}, 1, keep_manifest=True, keep_tags=True)
put_bag("manifest-wrong-hash", {manifest: b"0" * 64 + files[manifest][64:]}, 1, keep_manifest=True)
put_bag("oxum", {info: re.sub(rb"Oxum: \d+", b"Oxum: 1", files[info])}, 1)
put_bag("oxum-text", {info: files[info].replace(b"Payload-Oxum: ", b"Payload-Oxum: x")}, 1)
put_bag("info-form", {info: files[info] + b"no colon here\n"}, 3)
put_bag("manifest-line", {manifest: files[manifest] + b"hello\n"}, 3, keep_manifest=True)
put_bag("manifest-escape", {manifest: files[manifest] + b"0" * 64 + b"  ../../../etc/passwd\n"}, 3, keep_manifest=True)
put_bag("manifest-absolute", {manifest: files[manifest] + b"0" * 64 + b"  /etc/passwd\n"}, 3, keep_manifest=True)
put_bag("manifest-home", {manifest: files[manifest] + b"0" * 64 + b"  ~/.ssh/id\n"}, 3, keep_manifest=True)
put_bag("manifest-twice", {manifest: files[manifest] + files[manifest]}, 3, keep_manifest=True)
put_bag("manifest-not-utf8", {manifest: files[manifest] + b"0" * 64 + b"  data/\xff\n"}, 3, keep_manifest=True)
put_bag("manifest-bom", {manifest: b"\xef\xbb\xbf" + files[manifest]}, 3, keep_manifest=True)
put_bag("manifest-star", {manifest: files[manifest].replace(b"  data", b" *data", 1)}, 3, keep_manifest=True)
put_bag("manifest-dot-slash", {manifest: files[manifest].replace(b"  data", b"  ./data", 1)}, 3, keep_manifest=True)
put_bag("manifest-percent", {manifest: files[manifest].replace(b"data/artifact", b"data/%61rtifact", 1)}, 3, keep_manifest=True)
put_bag("manifest-missing", {}, 3, [manifest], keep_manifest=True)
put_bag("tagmanifest-missing", {}, 3, [tags], keep_tags=True)
put_bag("bagit-missing", {}, 3, [TOP + "bagit.txt"])
put_bag("bagit-bom", {TOP + "bagit.txt": b"\xef\xbb\xbf" + files[TOP + "bagit.txt"]}, 3)
put_bag("bagit-space", {TOP + "bagit.txt": files[TOP + "bagit.txt"].replace(b":", b" :")}, 3)
put_bag("bagit-old", {TOP + "bagit.txt": files[TOP + "bagit.txt"].replace(b"1.0", b"0.97")}, 3)
put_bag("bagit-later", {TOP + "bagit.txt": files[TOP + "bagit.txt"].replace(b"1.0", b"2.0")}, 3)
put_bag("bagit-encoding", {TOP + "bagit.txt": files[TOP + "bagit.txt"].replace(b"UTF-8", b"ISO-2022-CN-EXT")}, 3)
put_bag("bagit-utf16", {TOP + "bagit.txt": files[TOP + "bagit.txt"].replace(b"UTF-8", b"UTF-16")}, 3)
put_bag("bagit-third-line", {TOP + "bagit.txt": files[TOP + "bagit.txt"] + b"More: 1\n"}, 3)
put_bag("fetch", {TOP + "fetch.txt": b"http://127.0.0.1/x - data/artifact/runs/first/turns.jsonl\n"}, 3)
put_bag("fetch-escape", {TOP + "fetch.txt": b"http://127.0.0.1/x - ../victim\n"}, 3)
put_bag("tag-extra", {TOP + "run-me.sh": b"#!/bin/sh\n"}, 3)
put_bag("manifest-md5", {TOP + "manifest-md5.txt": b"0" * 32 + b"  data/artifact\n"}, 3)
put_bag("manifest-unknown", {TOP + "manifest-crc32.txt": b"00000000  data/x\n"}, 3)
put_bag("payload-elsewhere", {TOP + "data/run-me.sh": b"#!/bin/sh\n"}, 3)
put_bag("no-payload", {}, 3, [n for n in files if n.startswith(TOP + "data/")])

print(count, "archives")
