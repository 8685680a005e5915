// What Go's own checksum database uses (golang.org/x/mod/sumdb/note and tlog) judges our notes, tiles and proofs.
//
//	check_log open NOTE VKEY            prints the text of a signed note
//	check_log tiles DIR VKEY            every tile and entry of a log; prints size and root hash
//	check_log proof PROOF ENTRY VKEY    an inclusion proof
//	check_log growth PROOF OLD VKEY     a consistency proof between two checkpoints
//	check_log roots HEX...              root hashes and proofs of trees of these entries, for known answers
//	check_log time DIR VKEY             how many seconds the tree takes, computed from the entries
//
// Exits 1 and says why where it does not hold.
package main

import (
	"bytes"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"golang.org/x/mod/sumdb/note"
	"golang.org/x/mod/sumdb/tlog"
)

const height = 8

func fail(format string, args ...interface{}) {
	fmt.Printf("refused: "+format+"\n", args...)
	os.Exit(1)
}

func check(err error) {
	if err != nil {
		fail("%v", err)
	}
}

func read(name string) []byte {
	data, err := os.ReadFile(name)
	check(err)
	return data
}

func open(msg []byte, vkey string) string {
	verifier, err := note.NewVerifier(vkey)
	check(err)
	opened, err := note.Open(msg, note.VerifierList(verifier))
	check(err)
	return opened.Text
}

// The text of a checkpoint; tlog.ParseTree knows its own kind of first line only.
func parse(text, vkey string) tlog.Tree {
	lines := strings.Split(text, "\n")
	if len(lines) != 4 || lines[3] != "" || lines[0] != strings.SplitN(vkey, "+", 2)[0] {
		fail("not a checkpoint of the key's log: %q", text)
	}
	size, err := strconv.ParseInt(lines[1], 10, 64)
	check(err)
	root, err := tlog.ParseHash(lines[2])
	check(err)
	return tlog.Tree{N: size, Hash: root}
}

func path(tile tlog.Tile, entries bool) string {
	level := "tile/8/" + strconv.Itoa(tile.L) + "/"
	rest := strings.TrimPrefix(tile.Path(), level)
	if entries {
		return "tile/entries/" + rest
	}
	return "tile/" + strconv.Itoa(tile.L) + "/" + rest
}

type files struct {
	dir string
}

func (f *files) Height() int { return height }

func (f *files) ReadTiles(tiles []tlog.Tile) ([][]byte, error) {
	var out [][]byte
	for _, tile := range tiles {
		data, err := os.ReadFile(filepath.Join(f.dir, path(tile, false)))
		if err != nil {
			return nil, err
		}
		out = append(out, data)
	}
	return out, nil
}

func (f *files) SaveTiles([]tlog.Tile, [][]byte) {}

// The hashes of a whole tree, from the entries alone.
func build(dir string, size int64) memory {
	var stored memory
	for first := int64(0); first < size; first += 1 << height {
		width := int(size - first)
		if width > 1<<height {
			width = 1 << height
		}
		name := path(tlog.Tile{H: height, L: 0, N: first >> height, W: width}, true)
		data := read(filepath.Join(dir, name))
		for i := 0; i < width; i++ {
			if len(data) < 2 || len(data) < 2+int(binary.BigEndian.Uint16(data)) {
				fail("%s is cut short", name)
			}
			end := 2 + int(binary.BigEndian.Uint16(data))
			hashes, err := tlog.StoredHashes(first+int64(i), data[2:end], stored)
			check(err)
			stored = append(stored, hashes...)
			data = data[end:]
		}
		if len(data) > 0 {
			fail("%s holds more than its entries", name)
		}
	}
	return stored
}

// TileHashReader of version 0.7.0 does not authenticate the first tiles that it fetches below those of the root hash (it counts from len(stx), while
// tiles of stx may be shared), so its word is not enough: every tile is also compared with the tree of the entries.
func tiles(dir, vkey string) {
	tree := parse(open(read(filepath.Join(dir, "checkpoint")), vkey), vkey)
	stored := build(dir, tree.N)
	root, err := tlog.TreeHash(tree.N, stored)
	check(err)
	if tree.N > 0 && root != tree.Hash {
		fail("another root hash: %s", root)
	}
	count := 0
	all := tlog.NewTiles(height, 0, tree.N)
	for i, tile := range all {
		if i+1 < len(all) && all[i+1].L == tile.L && all[i+1].N == tile.N {
			continue // a checkpoint of that size may never have been
		}
		count++
		data, err := tlog.ReadTileData(tile, stored)
		check(err)
		if !bytes.Equal(data, read(filepath.Join(dir, path(tile, false)))) {
			fail("%s differs", path(tile, false))
		}
	}
	// And as a client reads them: a hash of each tile of level 0.
	reader := tlog.TileHashReader(tree, &files{dir})
	for first := int64(0); first < tree.N; first += 1 << height {
		index := tlog.StoredHashIndex(0, first)
		hashes, err := reader.ReadHashes([]int64{index})
		check(err)
		if hashes[0] != stored[index] {
			fail("the reader gives another hash of entry %d", first)
		}
	}
	fmt.Printf("%d entries, %d tiles, root %x\n", tree.N, count, tree.Hash[:])
}

// The lines of a proof: its number, its hashes, and the checkpoint below the empty line.
func proof(name string, heads ...string) (int64, []tlog.Hash, []byte) {
	data := read(name)
	end := bytes.Index(data, []byte("\n\n"))
	if end < 0 {
		fail("no empty line")
	}
	lines := strings.Split(string(data[:end]), "\n")
	for i, head := range heads {
		if i >= len(lines) || !strings.HasPrefix(lines[i], head) {
			fail("line %d does not begin with %q", i+1, head)
		}
	}
	last := len(heads) - 1
	number, err := strconv.ParseInt(strings.TrimPrefix(lines[last], heads[last]), 10, 64)
	check(err)
	var hashes []tlog.Hash
	for _, line := range lines[last+1:] {
		hash, err := tlog.ParseHash(line)
		check(err)
		hashes = append(hashes, hash)
	}
	return number, hashes, data[end+2:]
}

func inclusion(name, entry, vkey string) {
	index, hashes, msg := proof(name, "c2sp.org/tlog-proof@v1", "index ")
	tree := parse(open(msg, vkey), vkey)
	check(tlog.CheckRecord(tlog.RecordProof(hashes), tree.N, tree.Hash, index, tlog.RecordHash(read(entry))))
	fmt.Printf("entry %d of %d\n", index, tree.N)
}

func growth(name, old, vkey string) {
	size, hashes, msg := proof(name, "old ")
	now := parse(open(msg, vkey), vkey)
	before := parse(open(read(old), vkey), vkey)
	if before.N != size {
		fail("the proof starts from %d entries, the checkpoint has %d", size, before.N)
	}
	check(tlog.CheckTree(tlog.TreeProof(hashes), now.N, now.Hash, before.N, before.Hash))
	fmt.Printf("%d entries, %d before\n", now.N, before.N)
}

type memory []tlog.Hash

func (m memory) ReadHashes(indexes []int64) ([]tlog.Hash, error) {
	var out []tlog.Hash
	for _, i := range indexes {
		out = append(out, m[i])
	}
	return out, nil
}

func roots(entries []string) {
	var stored memory
	for i, text := range entries {
		entry, err := hex.DecodeString(text)
		check(err)
		hashes, err := tlog.StoredHashes(int64(i), entry, stored)
		check(err)
		stored = append(stored, hashes...)
		root, err := tlog.TreeHash(int64(i)+1, stored)
		check(err)
		fmt.Printf("root %d %x\n", i+1, root[:])
	}
	size := int64(len(entries))
	for i := int64(0); i < size; i++ {
		p, err := tlog.ProveRecord(size, i, stored)
		check(err)
		fmt.Printf("inclusion %d", i)
		for _, hash := range p {
			fmt.Printf(" %x", hash[:])
		}
		fmt.Println()
	}
	for old := int64(1); old < size; old++ {
		p, err := tlog.ProveTree(size, old, stored)
		check(err)
		fmt.Printf("consistency %d", old)
		for _, hash := range p {
			fmt.Printf(" %x", hash[:])
		}
		fmt.Println()
	}
}

// The peer of `ptxseal log audit`: the whole tree again from the entries, and its root hash.
func timed(dir, vkey string) {
	start := time.Now()
	tree := parse(open(read(filepath.Join(dir, "checkpoint")), vkey), vkey)
	stored := build(dir, tree.N)
	root, err := tlog.TreeHash(tree.N, stored)
	check(err)
	if root != tree.Hash {
		fail("another root hash: %s", root)
	}
	fmt.Printf("%.3f\n", time.Since(start).Seconds())
}

func main() {
	args := os.Args[1:]
	switch {
	case len(args) == 3 && args[0] == "open":
		fmt.Print(open(read(args[1]), args[2]))
	case len(args) == 3 && args[0] == "tiles":
		tiles(args[1], args[2])
	case len(args) == 4 && args[0] == "proof":
		inclusion(args[1], args[2], args[3])
	case len(args) == 4 && args[0] == "growth":
		growth(args[1], args[2], args[3])
	case len(args) > 1 && args[0] == "roots":
		roots(args[1:])
	case len(args) == 3 && args[0] == "time":
		timed(args[1], args[2])
	default:
		fmt.Fprintln(os.Stderr, "usage: check_log open|tiles|proof|growth|roots|time ARGUMENT...")
		os.Exit(2)
	}
}
