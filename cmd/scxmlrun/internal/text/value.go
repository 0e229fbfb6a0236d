package text

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/scxmlrun/scxmlrun/datamodel"
	"github.com/scxmlrun/scxmlrun/internal/lazy"
)

// Value writes data whole, a string in quotes.
func Value(v datamodel.Value) string {
	if s, ok := v.(string); ok {
		return string(datamodel.AppendJSON(nil, s))
	}
	return datamodel.Text(v)
}

// Brief writes data in about n characters at most. Of a larger value it shows
// the outline: the fields of an object, and how many items a list has.
func Brief(v datamodel.Value, n int) string {
	s := Value(v)
	if utf8.RuneCountInString(s) <= n {
		return s
	}
	switch v := v.(type) {
	case []datamodel.Value:
		return fmt.Sprintf("[… %s]", Count(len(v), "item"))
	case *datamodel.Object:
		var fields []string
		for key, item := range v.All() {
			fields = append(fields, Value(key)+":"+Brief(item, n/v.Len()))
		}
		if outline := "{" + strings.Join(fields, ",") + "}"; utf8.RuneCountInString(outline) <= n {
			return outline
		}
		return fmt.Sprintf("{… %s}", Count(v.Len(), "field"))
	}
	return Shorten(s, n)
}

// Count writes a number of things.
func Count(n int, thing string) string {
	if n != 1 {
		thing += "s"
	}
	return fmt.Sprintf("%d %s", n, thing)
}

const (
	maxDifferences = 4  // of one data item, each a line
	small          = 24 // characters of a value that is shown whole rather than by its parts
)

// Differences says how a data item has changed, "coins: 0 → 1", in lines of
// about width characters. Of large values it shows the parts that have changed,
// or how many have.
func Differences(id string, was, now datamodel.Value, width int) []string {
	d := differences{width: width}
	d.compare(id, was, now)
	if d.count > maxDifferences {
		return []string{fmt.Sprintf("%s: %d values changed; to see them: data %s", id, d.count, id)}
	}
	return d.lines
}

type differences struct {
	width, count int
	lines        []string
}

func (d *differences) compare(path string, was, now datamodel.Value) {
	if datamodel.Equal(was, now) {
		return
	}
	if count := d.count; !isSmall(was) || !isSmall(now) {
		if d.compareParts(path, was, now); d.count > count {
			return
		}
	}
	if d.count++; d.count <= maxDifferences {
		room := max(small, (d.width-len(path)-5)/2)
		d.lines = append(d.lines, path+": "+Brief(was, room)+" → "+Brief(now, room))
	}
}

func isSmall(v datamodel.Value) bool { return utf8.RuneCountInString(Value(v)) <= small }

// compareParts compares the parts of two lists or two objects. A part that is
// not there is undefined.
func (d *differences) compareParts(path string, was, now datamodel.Value) {
	switch was := was.(type) {
	case []datamodel.Value:
		now, ok := now.([]datamodel.Value)
		for i := 0; ok && i < max(len(was), len(now)); i++ {
			d.compare(fmt.Sprintf("%s[%d]", path, i), item(was, i), item(now, i))
		}
	case *datamodel.Object:
		now, ok := now.(*datamodel.Object)
		if !ok {
			return
		}
		for key, before := range was.All() {
			after, _ := now.Get(key)
			d.compare(path+member(key), before, after)
		}
		for key, after := range now.All() {
			if _, ok := was.Get(key); !ok {
				d.compare(path+member(key), nil, after)
			}
		}
	}
}

func item(list []datamodel.Value, i int) datamodel.Value {
	if i < len(list) {
		return list[i]
	}
	return nil
}

var identifier = lazy.Regexp(`^[\pL_$][\pL\pN_$]*$`)

// member writes the access to a member of an object.
func member(key string) string {
	if identifier().MatchString(key) {
		return "." + key
	}
	return "[" + Value(key) + "]"
}
