package scxml

import (
	"encoding/json"
	"math/rand/v2"
	"reflect"
	"testing"
	"time"

	"github.com/scxmlrun/scxmlrun/datamodel"
)

// Snapshots are what package encoding/json makes of the types that describe them, whichever of their fields
// are set.
func TestSnapshotIsJSON(t *testing.T) {
	parse := func(text []byte) (snap snapshot, members any) {
		t.Helper()
		for _, into := range []any{&snap, &members} {
			if err := json.Unmarshal(text, into); err != nil {
				t.Fatalf("%v\n%s", err, text)
			}
		}
		return snap, members
	}
	for seed := range uint64(300) {
		var snap snapshot
		fill(reflect.ValueOf(&snap).Elem(), rand.New(rand.NewPCG(seed, 0)))
		snap.Format, snap.Data = snapshotFormat, nil
		if len(snap.Sessions) == 0 {
			snap.Sessions = make([]savedSession, 1) // there is one always
		}
		written, err := snap.encode([][]byte{[]byte("1"), []byte("null")})
		if err != nil {
			t.Fatal(err)
		}
		snap.Data = []json.RawMessage{[]byte("1"), []byte("null")}
		want, err := json.Marshal(&snap)
		if err != nil {
			t.Fatal(err)
		}
		got, gotMembers := parse(written)
		expected, wantMembers := parse(want)
		if !reflect.DeepEqual(got, expected) || !reflect.DeepEqual(gotMembers, wantMembers) {
			t.Fatalf("seed %d: got\n%s\nwant\n%s", seed, written, want)
		}
	}
}

// fill gives a value to about half of the fields of a value.
func fill(v reflect.Value, r *rand.Rand) {
	switch v.Type() {
	case reflect.TypeFor[time.Time]():
		v.Set(reflect.ValueOf(time.Unix(r.Int64N(1<<33), r.Int64N(1e9)).UTC()))
		return
	case reflect.TypeFor[Retry]():
		v.Set(reflect.ValueOf(Retry{Attempts: 3, First: time.Second, Longest: time.Minute, Factor: 2, Final: []string{"declined"}}))
		return
	}
	if r.IntN(2) == 0 && v.Kind() != reflect.Struct {
		return
	}
	switch v.Kind() {
	case reflect.String:
		v.SetString([]string{"plain", `"quoted"\`, "é\u2028<\x01", "\xff"}[r.IntN(4)])
	case reflect.Int, reflect.Int32, reflect.Int64:
		v.SetInt(int64(r.Int32()) - 1<<30)
	case reflect.Uint8, reflect.Uint64:
		v.SetUint(r.Uint64() >> (64 - v.Type().Bits()))
	case reflect.Bool:
		v.SetBool(true)
	case reflect.Interface:
		v.Set(reflect.ValueOf([]datamodel.Value{datamodel.Null, int64(0), "a<\"\u202e\n", datamodel.NewObject("k", true)}[r.IntN(4)]))
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		fill(v.Elem(), r)
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 1+r.IntN(2), 2))
		for i := range v.Len() {
			fill(v.Index(i), r)
		}
	case reflect.Struct:
		for i := range v.NumField() {
			fill(v.Field(i), r)
		}
	}
}
