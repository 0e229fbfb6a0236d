package document

import (
	"reflect"
	"strconv"
	"time"

	"github.com/scxmlrun/scxmlrun/scxml"
)

// limits compares what the document uses with the default limits, and lists those of sessions.
func (w *writer) limits() {
	depth, attributes := 0, 0
	for _, e := range w.elements {
		level := 0
		for p := e; p != nil; p = p.Parent {
			level++
		}
		depth, attributes = max(depth, level), max(attributes, len(e.Attrs))
	}
	used := map[string]int{
		"DocumentSize": len(w.chart.Source()), "DocumentDepth": depth, "Elements": len(w.elements), "Attributes": attributes,
	}
	limits := reflect.ValueOf(scxml.DefaultLimits())
	for i := range limits.NumField() {
		name := limits.Type().Field(i).Name
		allowed := strconv.FormatInt(limits.Field(i).Int(), 10)
		if d, ok := limits.Field(i).Interface().(time.Duration); ok {
			allowed = d.String()
			if days := d / (24 * time.Hour); days > 0 {
				allowed = strconv.Itoa(int(days)) + " days"
			}
		} else {
			allowed = thousands(allowed)
		}
		if n, ok := used[name]; ok {
			w.page.Used = append(w.page.Used, Limit{name, thousands(strconv.Itoa(n)), allowed})
		} else {
			w.page.Allowed = append(w.page.Allowed, Limit{Name: name, Allowed: allowed})
		}
	}
}

// thousands groups the digits of a number.
func thousands(digits string) string {
	for i := len(digits) - 3; i > 0; i -= 3 {
		digits = digits[:i] + "," + digits[i:]
	}
	return digits
}
