package scxml_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/scxmlrun/scxmlrun/scxml"
)

// keyOf returns a different key for each number.
func keyOf(n byte) []byte { return bytes.Repeat([]byte{n}, 32) }

// invoking is a chart that computes a document and invokes it.
func invoking(t *testing.T, opts ...scxml.Option) *scxml.Session {
	s, clock := start(t, `<datamodel><data id="d"/></datamodel>
		<state id="a"><invoke id="k"><content expr="d"/></invoke></state>`,
		append(opts, scxml.WithData("d", document(`<state id="honest"/>`)))...)
	if err := clock.Advance(t.Context(), s, 0); err != nil {
		t.Fatal(err)
	}
	if len(s.Sessions()) != 2 {
		t.Fatal("nothing was invoked")
	}
	return s
}

// TestSignedSnapshot: with a key only what is signed with it can be restored.
func TestSignedSnapshot(t *testing.T) {
	key := scxml.WithSnapshotKey(keyOf(1))
	s := invoking(t, key, scxml.WithSessionID("S"))
	signed := snapshot(t, s, key)
	if !json.Valid(signed) {
		t.Errorf("it is not JSON: %s", signed)
	}
	plain := snapshot(t, invoking(t, scxml.WithSessionID("S")))
	if body, ok := bytes.CutSuffix(plain, []byte("}")); !ok || !bytes.HasPrefix(signed, append(body, `,"signature":"`...)) {
		t.Errorf("it is not the snapshot with one field more:\n%s\n%s", plain, signed)
	}
	for name, test := range map[string]struct {
		data []byte
		opt  scxml.Option
		want string
	}{
		"no signature": {plain, key, "the snapshot is not signed"},
		"no key":       {signed, scxml.WithLogger(nil), "the snapshot is signed, but no key is given: use WithSnapshotKey"},
		"another key":  {signed, scxml.WithSnapshotKey(keyOf(2), keyOf(3)), "the snapshot was changed, or signed with another key"},
		"child's code": {edit(t, signed, "honest", "forged"), key, "the snapshot was changed, or signed with another key"},
		"rearranged":   {edit(t, signed, `"version":1,`, `"version":1, `), key, "the snapshot was changed, or signed with another key"},
		"cut off":      {signed[:len(signed)-1], key, "the snapshot is not signed"},
		"empty":        {nil, key, "the snapshot is not signed"},
		"no hex":       {append(bytes.Clone(plain[:len(plain)-1]), `,"signature":"`+strings.Repeat("x", 64)+`"}`...), key, "the snapshot is not signed"},
		"signed twice": {append(bytes.Clone(signed[:len(signed)-1]), signed[len(plain)-1:]...), key, "the snapshot was changed, or signed with another key"},
		"of another":   {append(bytes.Clone(snapshot(t, invoking(t))[:len(plain)-1]), signed[len(plain)-1:]...), key, "the snapshot was changed, or signed with another key"},
		"not at all":   {[]byte(`{"format":"zip"}`), key, "the snapshot is not signed"},
		"only that":    {signed[len(plain)-1:], key, "the snapshot was changed, or signed with another key"},
	} {
		migrated := false
		s, err := scxml.Restore(s.Chart(), test.data, test.opt, scxml.WithMigration(func(b []byte, _ *scxml.Chart) ([]byte, error) {
			migrated = true
			return b, nil
		}))
		if want := "scxml: Restore: cannot verify the signature of the snapshot: " + test.want; !errors.Is(err, scxml.ErrSignature) || err.Error() != want {
			t.Errorf("%s: got %v\nwant %s", name, err, want)
		}
		if s != nil || migrated {
			t.Errorf("%s: it was read before its signature was checked", name)
		}
	}
	for i := range signed {
		forged := bytes.Clone(signed)
		forged[i] ^= 4
		if _, err := scxml.Restore(s.Chart(), forged, key); !errors.Is(err, scxml.ErrSignature) {
			t.Fatalf("byte %d was changed: %v", i, err)
		}
	}
	restore(t, s.Chart(), append(bytes.Clone(signed), '\n'), key) // a file may end like this
}

// TestSnapshotKeyIsChanged: the old key still verifies, the new one signs.
func TestSnapshotKeyIsChanged(t *testing.T) {
	before, after := scxml.WithSnapshotKey(keyOf(1)), scxml.WithSnapshotKey(keyOf(2), keyOf(1))
	s := invoking(t, before)
	old := snapshot(t, s, before)
	data, err := restore(t, s.Chart(), old, after).Suspend()
	if err != nil {
		t.Fatal(err)
	}
	restore(t, s.Chart(), data, scxml.WithSnapshotKey(keyOf(2)))
	if _, err := scxml.Restore(s.Chart(), data, before); !errors.Is(err, scxml.ErrSignature) {
		t.Errorf("the old key has signed again: %v", err)
	}
}

// TestMigrationGetsVerifiedBody: a migration gets the snapshot without its signature, after that
// was checked, and the session signs its next snapshot.
func TestMigrationGetsVerifiedBody(t *testing.T) {
	key := scxml.WithSnapshotKey(keyOf(1))
	s := invoking(t, key, scxml.WithSessionID("S"))
	var body []byte
	changed := parse(t, `<datamodel><data id="d"/></datamodel><state id="a"><invoke id="k"><content expr="d"/></invoke></state><state id="b"/>`)
	migrated := restore(t, changed, snapshot(t, s, key), key, scxml.WithMigration(func(b []byte, _ *scxml.Chart) ([]byte, error) {
		body = b
		return b, nil
	}))
	if plain := snapshot(t, invoking(t, scxml.WithSessionID("S"))); !bytes.Equal(body, plain) {
		t.Errorf("the migration got\n%s\nand not\n%s", body, plain)
	}
	snapshot(t, migrated, key)
}

// An unusable key is refused wherever it is used, and the caller may reuse the memory of a key.
func TestSnapshotKey(t *testing.T) {
	chart := parse(t, lamp)
	for _, opt := range []scxml.Option{scxml.WithSnapshotKey(nil), scxml.WithSnapshotKey(keyOf(1)[1:]), scxml.WithSnapshotKey(keyOf(1), []byte("short"))} {
		if _, err := scxml.New(chart, opt); err == nil || !strings.Contains(err.Error(), "bytes: want at least 32") {
			t.Errorf("New: %v", err)
		}
		if _, err := scxml.Restore(chart, nil, opt); err == nil || !strings.Contains(err.Error(), "bytes: want at least 32") {
			t.Errorf("Restore: %v", err)
		}
	}
	key := keyOf(1)
	s := newSession(t, chart, scxml.WithSnapshotKey(key))
	clear(key)
	if err := s.Start(context.Background()); err != nil {
		t.Fatal(err)
	}
	snapshot(t, s, scxml.WithSnapshotKey(keyOf(1)))
}
