package format

import (
	"cmp"
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// parseZipped reads a value in JSON, or in the form that SudokuPad makes of it before it
// packs it: names without quotes and some of them short, single quotes, empty cells left out,
// t and f, and colours without quotes (puzzlezipper.js). It returns nil, bool, float64,
// string, []any or map[string]any with long names. An empty item of an array is nil.
func parseZipped(text string) (any, error) {
	z := &zipReader{rest: text}
	v, err := z.value(0)
	if err == nil && strings.TrimSpace(z.rest) != "" {
		err = z.wrong("the end")
	}
	return v, err
}

// maxZippedDepth is how deep values may be nested.
const maxZippedDepth = 50

type zipReader struct{ rest string }

func (z *zipReader) wrong(want string) error {
	found := "the end"
	if z.rest != "" {
		found = strconv.Quote(label(z.rest[:min(len(z.rest), 20)]))
	}
	return fmt.Errorf("expected %s, found %s", want, found)
}

// next skips blanks and reports whether the text continues with a character, which it skips.
func (z *zipReader) next(char string) bool {
	z.rest = strings.TrimLeft(z.rest, " \t\r\n")
	rest, ok := strings.CutPrefix(z.rest, char)
	z.rest = rest
	return ok
}

func (z *zipReader) value(depth int) (any, error) {
	switch {
	case depth > maxZippedDepth:
		return nil, errors.New("the values are nested too deep")
	case z.next("{"):
		return z.object(depth)
	case z.next("["):
		return z.array(depth)
	case z.next(`"`):
		return z.text('"')
	case z.next(`'`):
		return z.text('\'')
	}
	word, err := z.word()
	switch word {
	case "null", "":
		return nil, err
	case "t", "true", "f", "false":
		return word[0] == 't', nil
	}
	if number, err := strconv.ParseFloat(word, 64); err == nil && strings.Trim(word, "0123456789.+-eE") == "" {
		return number, nil
	}
	return word, nil
}

func (z *zipReader) object(depth int) (any, error) {
	all := map[string]any{}
	return all, z.items("}", "a comma or a brace", func() error {
		key, err := z.name()
		if err != nil {
			return err
		}
		key = cmp.Or(padNames[key], key)
		all[key], err = z.value(depth + 1)
		return err
	})
}

// items reads the items of an object or array with commas between them, up to its end.
func (z *zipReader) items(end, want string, item func() error) error {
	for done := z.next(end); !done; {
		if err := item(); err != nil {
			return err
		}
		if done = z.next(end); !done && !z.next(",") {
			return z.wrong(want)
		}
	}
	return nil
}

// name reads the name of a field and the colon after it.
func (z *zipReader) name() (name string, err error) {
	switch {
	case z.next(`"`):
		name, err = z.text('"')
	case z.next(`'`):
		name, err = z.text('\'')
	default:
		name, err = z.word()
	}
	if err == nil && !z.next(":") {
		err = z.wrong("a colon")
	}
	return name, err
}

func (z *zipReader) array(depth int) (any, error) {
	all := []any{}
	err := z.items("]", "a comma or a bracket", func() (err error) {
		var v any
		if z.next(""); !strings.HasPrefix(z.rest, ",") && !strings.HasPrefix(z.rest, "]") {
			v, err = z.value(depth + 1)
		}
		all = append(all, v)
		return err
	})
	return all, err
}

// text reads a text up to its quote. Other escapes than those of JSON are the character itself.
func (z *zipReader) text(quote byte) (string, error) {
	var out strings.Builder
	for i := 0; i < len(z.rest); i++ {
		char := z.rest[i]
		switch {
		case char == quote:
			z.rest = z.rest[i+1:]
			return out.String(), nil
		case char != '\\' || i+1 == len(z.rest):
			out.WriteByte(char)
			continue
		}
		i++
		switch char = z.rest[i]; char {
		case 'n', 't', 'r', 'b', 'f':
			out.WriteByte(' ')
		case 'u':
			code, err := strconv.ParseUint(z.rest[i+1:min(i+5, len(z.rest))], 16, 16)
			if err != nil {
				return "", z.wrong(`\u and four hexadecimal digits`)
			}
			out.WriteRune(rune(code))
			i += 4
		default:
			out.WriteByte(char)
		}
	}
	return "", errors.New("a text has no end")
}

// word reads what is not in quotes.
func (z *zipReader) word() (string, error) {
	word := z.rest
	if end := strings.IndexAny(word, ":,]} \t\r\n"); end >= 0 {
		word = word[:end]
	}
	if strings.Trim(word, "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_#+-.") != "" || word == "" {
		return "", z.wrong("a value")
	}
	z.rest = z.rest[len(word):]
	return word, nil
}
