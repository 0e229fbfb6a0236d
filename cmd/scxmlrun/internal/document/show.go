package document

import (
	"reflect"
	"strings"

	"github.com/scxmlrun/scxmlrun/cmd/internal/cli"
)

// mostInLine and mostInName are the greatest numbers of bytes of a line of text, and of the name of a state.
const (
	mostInLine = 2000
	mostInName = 200
)

// show replaces all texts in v by what a page shows of them: everything in them can be seen, and lines and
// names that are too long to read are cut.
func show(v reflect.Value) {
	switch v.Kind() {
	case reflect.Pointer:
		if !v.IsNil() {
			show(v.Elem())
		}
	case reflect.Slice:
		for i := range v.Len() {
			show(v.Index(i))
		}
	case reflect.Struct:
		if r, ok := v.Interface().(Ref); ok {
			v.Field(0).SetString(shown(r.Name, mostInName))
			return
		}
		for i := range v.NumField() {
			if v.Type().Field(i).IsExported() {
				show(v.Field(i))
			}
		}
	case reflect.String:
		v.SetString(shown(v.String(), mostInLine))
	}
}

func shown(text string, most int) string {
	if len(text) > most {
		lines := strings.Split(text, "\n")
		for i, line := range lines {
			if len(line) > most {
				lines[i] = strings.ToValidUTF8(line[:most], "") + "…"
			}
		}
		text = strings.Join(lines, "\n")
	}
	return cli.Visible(text, cli.KeepNewlines)
}
