package scxmltest

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/scxmlrun/scxmlrun/datamodel"
	"github.com/scxmlrun/scxmlrun/scxml"
	"github.com/scxmlrun/scxmlrun/scxml/forms"
	"github.com/scxmlrun/scxmlrun/scxml/internal/doc"
)

// CheckEvent fails the test with each property that the chart reads in the data of an event and v, the
// Go data of such an event, does not have: a field is called By, and the chart reads _event.data.by.
// Of a struct the type counts, so that a zero value is enough; a map must have the keys.
//
// It follows the code of the chart through variables and functions, those of <script src> among them, but
// not through computed names. A property that v need not have is reported too.
func CheckEvent(t testing.TB, chart *scxml.Chart, event string, v any) {
	t.Helper()
	if !chart.Takes(event) {
		t.Errorf("no transition of %s takes the event %q", chart.File(), event)
	}
	checkNames(t, "_event.data", forms.New(chart, chart.Loader()).Reads(event), v)
}

// CheckData is [CheckEvent] for a data item and the value that [scxml.WithData] gives it. What the chart
// itself assigns to is not reported.
func CheckData(t testing.TB, chart *scxml.Chart, id string, v any) {
	t.Helper()
	if !slices.Contains(chart.AllData(), id) {
		t.Errorf("%s has no <data id=%q>", chart.File(), id)
	}
	checkNames(t, id, forms.New(chart, chart.Loader()).ReadsData(id), v)
}

func checkNames(t testing.TB, root string, paths [][]string, v any) {
	t.Helper()
	var told []string
	for _, path := range paths {
		has, at, ok := lookUp(reflect.ValueOf(v), path)
		if ok {
			continue
		}
		name, hint := strings.Join(append([]string{root}, path[:at+1]...), "."), ""
		if slices.Contains(told, name) {
			continue
		}
		told = append(told, name)
		if near := doc.Near(path[at], slices.Values(has)); near != "" {
			hint = fmt.Sprintf(": it has %q", near)
		}
		t.Errorf("the chart reads %s, which %T does not have%s", strings.ReplaceAll(name, ".[]", "[]"), v, hint)
	}
}

// lookUp follows a path in Go data. If a name is missing, it returns its place in the path, and the names
// that are there. What the data does not tell is ok.
func lookUp(v reflect.Value, path []string) (has []string, at int, ok bool) {
	for at, name := range path {
		for v.IsValid() && (v.Kind() == reflect.Pointer || v.Kind() == reflect.Interface) {
			if v.Kind() == reflect.Pointer && v.IsNil() {
				v = reflect.Zero(v.Type().Elem())
			} else {
				v = v.Elem()
			}
		}
		if !v.IsValid() {
			return nil, 0, true
		}
		switch t := v.Type(); t.Kind() {
		case reflect.Struct:
			names := datamodel.FieldNames(t)
			if names == nil || name == "[]" {
				return nil, 0, true
			}
			f, found := datamodel.FieldOf(t, name)
			if !found {
				return names, at, false
			}
			if field, err := v.FieldByIndexErr(f.Index); err == nil {
				v = field
			} else {
				v = reflect.Zero(f.Type)
			}
		case reflect.Map:
			if t.Key().Kind() != reflect.String || v.Len() == 0 || name == "[]" {
				return nil, 0, true
			}
			var names []string
			for _, k := range v.MapKeys() {
				names = append(names, k.String())
			}
			slices.Sort(names)
			if !slices.Contains(names, name) {
				return names, at, false
			}
			v = v.MapIndex(reflect.ValueOf(name).Convert(t.Key()))
		case reflect.Slice, reflect.Array:
			if name != "[]" {
				return nil, 0, true
			}
			if v.Len() > 0 {
				v = v.Index(0)
			} else {
				v = reflect.Zero(t.Elem())
			}
		default:
			return nil, 0, true
		}
	}
	return nil, 0, true
}
