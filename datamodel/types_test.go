package datamodel_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"math/big"
	"net"
	"net/netip"
	"reflect"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/scxmlrun/scxmlrun/datamodel"
)

// A colour has a text through its value, a shade through a pointer to it.
type (
	colour int
	shade  struct{ name string }
	money  struct {
		Cents int
		Addr  netip.Addr
	}
)

func (c colour) MarshalText() ([]byte, error) {
	if c < 0 {
		return nil, errors.New("no such colour")
	}
	return fmt.Appendf(nil, "colour%d", int(c)), nil
}

func (c *colour) UnmarshalText(text []byte) error {
	_, err := fmt.Sscanf(string(text), "colour%d", (*int)(c))
	return err
}

func (s *shade) MarshalText() ([]byte, error)    { return []byte(s.name), nil }
func (s *shade) UnmarshalText(text []byte) error { s.name = string(text); return nil }

// TestText: what has a text is its text, in both directions.
func TestText(t *testing.T) {
	for _, tt := range []struct {
		v    any
		want string
	}{
		{colour(3), `"colour3"`},
		{shade{"dark"}, `"dark"`}, {&shade{"dark"}, `"dark"`},
		{[]shade{{"a"}, {"b"}}, `["a","b"]`},
		{netip.MustParseAddr("192.0.2.1"), `"192.0.2.1"`},
		{net.ParseIP("192.0.2.1"), `"192.0.2.1"`},
		{money{5, netip.MustParseAddr("::1")}, `{"Cents":5,"Addr":"::1"}`},
		{map[netip.Addr]int{netip.MustParseAddr("::2"): 2, netip.MustParseAddr("::1"): 1}, `{"::1":1,"::2":2}`},
		{map[colour]bool{2: true}, `{"colour2":true}`},
		{json.RawMessage(`{"b":[1,"x"],"a":null,"$c":0.5}`), `{"b":[1,"x"],"a":null,"$$c":0.5}`},
	} {
		v, err := datamodel.From(tt.v)
		if got := string(datamodel.AppendJSON(nil, v)); err != nil || got != tt.want {
			t.Errorf("%T: got %s, %v; want %s", tt.v, got, err, tt.want)
			continue
		}
		back := reflect.New(reflect.TypeOf(tt.v))
		if err := datamodel.Decode(v, back.Interface()); err != nil {
			t.Errorf("%T: %v", tt.v, err)
		} else if _, raw := tt.v.(json.RawMessage); !raw && !reflect.DeepEqual(back.Elem().Interface(), tt.v) {
			t.Errorf("%T: comes back as %v, want %v", tt.v, back.Elem(), tt.v)
		}
	}
	var raw json.RawMessage
	if err := datamodel.Decode([]datamodel.Value{int64(1), datamodel.Null}, &raw); err != nil || string(raw) != "[1,null]" {
		t.Errorf("raw: %s, %v", raw, err)
	}
}

// TestRefusedData: nothing is rounded or lost without a word, and the error has the path.
func TestRefusedData(t *testing.T) {
	const exact = ` as data: numbers are exact up to 2^53 only; use a *big.Int or a string`
	type order struct {
		Items []struct{ ID int64 }
	}
	for _, tt := range []struct {
		v    any
		want string
	}{
		{int64(1<<53 + 1), "cannot use the integer 9007199254740993" + exact},
		{int64(math.MinInt64), "cannot use the integer -9223372036854775808" + exact},
		{uint64(math.MaxUint64), "cannot use the integer 18446744073709551615" + exact},
		{order{Items: []struct{ ID int64 }{{1}, {1 << 60}}}, "at Items[1].ID: cannot use the integer 1152921504606846976" + exact},
		{datamodel.NewObject("id", int64(1<<60)), "at id: cannot use the integer 1152921504606846976" + exact},
		{json.Number("9007199254740993"), "cannot use the integer 9007199254740993" + exact},
		{map[string]any{"raw": json.RawMessage("{\n\"id\": 12345678901234567890}")}, "at raw: cannot read the json.RawMessage: 2:7: cannot use the integer 12345678901234567890" + exact},
		{json.RawMessage(`{"a":}`), "cannot read the json.RawMessage: 1:6: "},
		{map[string]error{"e": fs.ErrNotExist}, "at e: cannot use a errors.errorString as data: it is an error; use its text"},
		{&fs.PathError{Err: fs.ErrNotExist}, "cannot use a fs.PathError as data: it is an error; use its text"},
		{struct{ Mu *sync.Mutex }{new(sync.Mutex)}, "at Mu: cannot use a sync.Mutex as data: it has no exported fields"},
		{[]colour{1, -1}, "at [1]: cannot use a datamodel_test.colour as data: no such colour"},
		{map[colour]int{-1: 1}, "cannot use a datamodel_test.colour as data: no such colour"},
	} {
		if _, err := datamodel.From(tt.v); err == nil || !strings.HasPrefix(err.Error(), tt.want) {
			t.Errorf("%T: got %v\nwant %s", tt.v, err, tt.want)
		}
	}
	for _, v := range []any{json.Number("1e300"), 1e300, json.RawMessage("1e300"), json.RawMessage("9007199254740992"), struct{}{}, new(big.Int).Lsh(big.NewInt(1), 60)} {
		if _, err := datamodel.From(v); err != nil {
			t.Errorf("%T %v: %v", v, v, err)
		}
	}
	var mu sync.Mutex
	if err := datamodel.Decode(datamodel.NewObject("x", 1), &mu); err == nil || err.Error() != "cannot put an object into sync.Mutex: it has no exported fields" {
		t.Errorf("into a mutex: %v", err)
	}
	var c colour
	if err := datamodel.Decode("red", &c); err == nil || !strings.HasPrefix(err.Error(), `cannot put "red" into datamodel_test.colour: `) {
		t.Errorf("a text that is refused: %v", err)
	}
}

func TestDecodable(t *testing.T) {
	type list struct {
		Next *list
		At   time.Time
		Any  any
		IP   netip.Addr
	}
	for _, v := range []any{0, "", list{}, []list{}, map[string]list{}, map[netip.Addr]int{}, new(big.Int), new(datamodel.Object), datamodel.Node{}, json.RawMessage{}} {
		if err := errors.Join(datamodel.Decodable(reflect.TypeOf(v)), datamodel.Encodable(reflect.TypeOf(v))); err != nil {
			t.Errorf("%T: %v", v, err)
		}
	}
	for _, tt := range []struct {
		v    any
		want string
	}{
		{make(chan int), "chan int is not data"},
		{[]func(){}, "func() is not data"},
		{complex(1, 2), "complex128 is not data"},
		{struct{ R fmt.Stringer }{}, "field R: fmt.Stringer is an interface with methods"},
		{map[float64]int{}, "map[float64]int has keys that are neither strings nor integers"},
		{&sync.Mutex{}, "sync.Mutex has no exported fields"},
	} {
		if err := datamodel.Decodable(reflect.TypeOf(tt.v)); err == nil || err.Error() != tt.want {
			t.Errorf("%T: got %v, want %s", tt.v, err, tt.want)
		}
		if err := datamodel.Encodable(reflect.TypeOf(tt.v)); (err == nil) != strings.Contains(tt.want, "interface") {
			t.Errorf("%T: Encodable returns %v", tt.v, err)
		}
	}
	if err := datamodel.Encodable(reflect.TypeFor[fs.PathError]()); err == nil {
		t.Error("an error is data")
	}
}
