package isolate

import (
	"encoding/json"
	"math/big"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/scxmlrun/scxmlrun/datamodel"
	"github.com/scxmlrun/scxmlrun/scxml"
	"github.com/scxmlrun/scxmlrun/scxml/history"
	"github.com/scxmlrun/scxmlrun/scxml/internal/eventjson"
)

// fill sets every exported field that a message has to something, and each interface to a value that
// JSON lacks.
func fill(v reflect.Value, depth int) {
	switch v.Kind() {
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		fill(v.Elem(), depth+1)
	case reflect.Struct:
		switch x := v.Addr().Interface().(type) {
		case *time.Time:
			*x = time.Date(2026, 1, 5, 12, 0, 0, 1, time.UTC)
			return
		case *eventjson.Value:
			x.V = datamodel.NewObject("$", time.Date(2026, 1, 5, 12, 0, 0, 0, time.UTC), "n", big.NewInt(7))
			return
		case *eventjson.Event:
			*x = eventjson.Of(scxml.Event{Name: "e", Type: datamodel.Platform, Data: int64(1), SendID: "s", Origin: "o", OriginType: "t", InvokeID: "i", Raw: "r"})
			return
		case *scxml.Task:
			m := scxml.Message{Event: scxml.Event{Name: "e", Data: "x"}, Target: "t", Type: "y", Delay: 3, Params: []scxml.Param{{Name: "p", Value: nil}}}
			*x = scxml.Task{ID: 1, Kind: scxml.TaskForward, Session: "s", Message: m, Service: scxml.Service{ID: "i", Type: "t", Src: "r"}, Invoke: 2}
			return
		case *history.Note:
			x.File = "f"
			return
		}
		for i := range v.NumField() {
			if v.Type().Field(i).IsExported() {
				fill(v.Field(i), depth+1)
			}
		}
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 1, 1))
		if v.Type() == reflect.TypeFor[json.RawMessage]() {
			v.SetBytes([]byte(`{"x":1}`))
			return
		}
		fill(v.Index(0), depth+1)
	case reflect.String:
		v.SetString("x")
	case reflect.Bool:
		v.SetBool(true)
	case reflect.Int, reflect.Int8, reflect.Int64:
		v.SetInt(1)
	case reflect.Uint8, reflect.Uint64:
		v.SetUint(1)
	}
}

// checkMethod checks that the argument of a method arrives as it was sent, and nothing else does.
func checkMethod(t *testing.T, name string, newIn func() any) {
	sent := newIn()
	fill(reflect.ValueOf(sent).Elem(), 0)
	text, err := json.Marshal(request{ID: 1, Session: 2, In: sent})
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	got := newIn()
	if err := decode(frame{payload: text}, &request{In: got}); err != nil || !reflect.DeepEqual(sent, got) {
		t.Errorf("%s: sent %+v, got %+v, %v", name, sent, got, err)
	}
	if name == "" || strings.ContainsAny(name, " {") {
		t.Errorf("%q is not a name of a method", name)
	}
	refused := 0
	for _, odd := range []string{"true", "-0.5", `"\u0000"`, "[[]]", `{"Event":3,"Document":3,"Name":3,"ID":[],"Task":"","To":1,"Session":1,"id":[]}`} {
		if decode(frame{payload: []byte(`{"In":` + odd + `}`)}, &request{In: newIn()}) != nil {
			refused++
		}
	}
	if refused < 4 && reflect.TypeOf(got) != reflect.TypeFor[*none]() {
		t.Errorf("%s: only %d of 5 odd arguments are refused", name, refused)
	}
}

func TestMethods(t *testing.T) {
	for name, m := range methods() {
		checkMethod(t, name, m.newIn)
	}
	for name, m := range calls {
		checkMethod(t, name, m.newIn)
	}
}
