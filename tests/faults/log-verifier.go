// Checks a log of auctions with golang.org/x/mod/sumdb, which knows nothing of Wayfare. It reads a JSON file and prints
// how many of its proofs hold.
package main

import (
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"strconv"
	"strings"

	"golang.org/x/mod/sumdb/note"
	"golang.org/x/mod/sumdb/tlog"
)

type inclusion struct {
	Leaf     string
	Position int64
	Proof    []string
}

type input struct {
	Keys        []string
	Earlier     string
	Later       string
	Inclusions  []inclusion
	Consistency []string
}

func stop(err error) {
	if err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
}

func hashes(texts []string) []tlog.Hash {
	list := []tlog.Hash{}
	for _, text := range texts {
		bytes, err := hex.DecodeString(text)
		stop(err)
		var hash tlog.Hash
		copy(hash[:], bytes)
		list = append(list, hash)
	}
	return list
}

func open(text string, verifiers note.Verifiers) (int64, tlog.Hash) {
	signed, err := note.Open([]byte(text), verifiers)
	stop(err)
	lines := strings.Split(signed.Text, "\n")
	size, err := strconv.ParseInt(lines[1], 10, 64)
	stop(err)
	root, err := base64.StdEncoding.DecodeString(lines[2])
	stop(err)
	var hash tlog.Hash
	copy(hash[:], root)
	return size, hash
}

func main() {
	bytes, err := os.ReadFile(os.Args[1])
	stop(err)
	var in input
	stop(json.Unmarshal(bytes, &in))
	list := []note.Verifier{}
	for _, key := range in.Keys {
		verifier, err := note.NewVerifier(key)
		stop(err)
		list = append(list, verifier)
	}
	verifiers := note.VerifierList(list...)
	earlierSize, earlierRoot := open(in.Earlier, verifiers)
	size, root := open(in.Later, verifiers)
	if _, err := note.Open([]byte(strings.Replace(in.Later, "\n"+strconv.FormatInt(size, 10)+"\n", "\n1\n", 1)), verifiers); err == nil {
		stop(fmt.Errorf("a forged checkpoint was taken"))
	}
	stop(tlog.CheckTree(hashes(in.Consistency), size, root, earlierSize, earlierRoot))
	if tlog.CheckTree(hashes(in.Consistency), size, earlierRoot, earlierSize, root) == nil {
		stop(fmt.Errorf("a log that does not go on was taken"))
	}
	for _, each := range in.Inclusions {
		stop(tlog.CheckRecord(hashes(each.Proof), size, root, each.Position, tlog.RecordHash([]byte(each.Leaf))))
		if tlog.CheckRecord(hashes(each.Proof), size, root, each.Position, tlog.RecordHash([]byte(each.Leaf+" "))) == nil {
			stop(fmt.Errorf("another leaf was taken"))
		}
	}
	fmt.Printf("%d proofs of inclusion in %d leaves, 1 of consistency with %d leaves, 2 checkpoints\n", len(in.Inclusions), size, earlierSize)
}
