package main

import (
	"bytes"
	"context"
	"fmt"
	"os"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/scxmlrun/scxmlrun/scxml/fleet"
	"github.com/scxmlrun/scxmlrun/scxml/fleet/bolt"
)

func scriptFill(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: fill DIR")
	}
	s, err := bolt.Open(ts.MkAbs(args[0]))
	ts.Check(err)
	defer s.Close()
	list, err := s.List(context.Background(), "", 0)
	ts.Check(err)
	key := fmt.Sprint("session-", len(list)+1)
	rec := &fleet.Record{Key: key, Pending: true, Accepted: 5, Body: []byte("the body of " + key)}
	ts.Check(s.Commit(context.Background(), []fleet.Change{{Key: key, New: rec, Log: []byte("created")}})[0])
}

func scriptFlip(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: flip FILE TEXT")
	}
	name, text := ts.MkAbs(args[0]), []byte(args[1])
	data, err := os.ReadFile(name)
	ts.Check(err)
	if !bytes.Contains(data, text) {
		ts.Fatalf("%q is not in %s", text, args[0])
	}
	flipped := bytes.Clone(text)
	flipped[0] ^= 1
	ts.Check(os.WriteFile(name, bytes.ReplaceAll(data, text, flipped), 0o600))
}
