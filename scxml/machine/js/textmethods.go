package js

import (
	"math"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// textMethod is a method of a string.
func textMethod(v Value, name string, args []Value) Value {
	s := v.Text()
	text := func(i int) string { return Arg(args, i).ToText() }
	number := func(i int) float64 { // 0 for undefined
		return integer(Arg(args, i).ToNumber())
	}
	end := func(i int) float64 {
		if a := Arg(args, i); !a.IsUndefined() {
			return integer(a.ToNumber())
		}
		return math.Inf(1)
	}
	switch name {
	case "at":
		at := number(0)
		if at < 0 {
			at += Length(s)
		}
		return charAt(s, at)
	case "charAt":
		return String(CharAt(s, number(0)))
	case "charCodeAt":
		return Number(CharCodeAt(s, number(0)))
	case "codePointAt":
		unit, point := unitAt(s, number(0))
		switch {
		case IsNaN(unit):
			return Value{}
		case point > 0xffff && utf16.IsSurrogate(rune(unit)) && unit < 0xdc00:
			return Number(float64(point))
		}
		return Number(unit)
	case "concat":
		for i := range args {
			s += text(i)
			checkText(float64(len(s)))
		}
		return String(s)
	case "endsWith":
		return Bool(EndsWith(Slice(s, 0, max(end(1), 0)), text(0)))
	case "includes":
		return Bool(Includes(Slice(s, max(number(1), 0), math.Inf(1)), text(0)))
	case "indexOf":
		at := min(max(number(1), 0), Length(s))
		i := IndexOf(Slice(s, at, math.Inf(1)), text(0))
		if i >= 0 {
			i += at
		}
		return Number(i)
	case "lastIndexOf":
		part, last := text(0), math.Inf(1)
		if n := Arg(args, 1).ToNumber(); !IsNaN(n) {
			last = max(integer(n), 0)
		}
		i := strings.LastIndex(Slice(s, 0, last+Length(part)), part)
		if i < 0 {
			return Number(-1)
		}
		return Number(Length(s[:i]))
	case "localeCompare":
		return Number(compareLocale(s, text(0)))
	case "padEnd", "padStart":
		return String(pad(s, number(0), Arg(args, 1), name == "padStart"))
	case "repeat":
		n := number(0)
		if n < 0 || math.IsInf(n, 1) {
			throwText("RangeError: Invalid count value")
		}
		checkText(n * float64(len(s)))
		return String(strings.Repeat(s, int(n*BoolNumber(s != ""))))
	case "replace", "replaceAll":
		return String(replace(v, name == "replaceAll", text(0), Arg(args, 1)))
	case "slice":
		return String(Slice(s, number(0), end(1)))
	case "split":
		return split(s, Arg(args, 0), Arg(args, 1))
	case "startsWith":
		return Bool(StartsWith(Slice(s, max(number(1), 0), math.Inf(1)), text(0)))
	case "substr":
		n := Length(s)
		begin := number(0)
		if begin < 0 {
			begin = max(n+begin, 0)
		}
		return String(Slice(s, min(begin, n), min(begin+max(end(1), 0), n)))
	case "substring":
		return String(Substring(s, number(0), end(1)))
	case "toLowerCase", "toLocaleLowerCase":
		return String(ToLower(s))
	case "toUpperCase", "toLocaleUpperCase":
		return String(ToUpper(s))
	case "trim":
		return String(Trim(s))
	case "trimStart", "trimLeft":
		return String(strings.TrimLeftFunc(s, isSpace))
	case "trimEnd", "trimRight":
		return String(strings.TrimRightFunc(s, isSpace))
	}
	return objectMethod(v, name, args)
}

// maxText bounds the length of strings that functions make, as the library of the interpreter does.
const maxText = 256 << 20

func checkText(n float64) {
	if n > maxText {
		throwText("RangeError: the string would be longer than 268435456")
	}
}

func pad(s string, to float64, with Value, start bool) string {
	checkText(to)
	fill := " "
	if !with.IsUndefined() {
		fill = with.ToText()
	}
	n := to - Length(s)
	if n <= 0 || fill == "" {
		return s
	}
	fill = Slice(strings.Repeat(fill, int(n/Length(fill))+1), 0, n)
	if start {
		return fill + s
	}
	return s + fill
}

// replace replaces the first place, or all places, where part is.
func replace(v Value, all bool, part string, with Value) string {
	s := v.Text()
	var f Func
	text := ""
	if o := with.object(); o != nil && o.class == function {
		f = o.more.call
	} else {
		text = with.ToText()
	}
	if all && part == "" {
		s = halves(s)
	}
	var b strings.Builder
	done, place, counted := 0, 0.0, 0 // place is the length of s[:counted]
	for at := 0; ; {
		i := strings.Index(s[at:], part)
		if i < 0 {
			break
		}
		i += at
		b.WriteString(s[done:i])
		if f == nil {
			substitute(&b, text, s, part, i)
		} else {
			place, counted = place+Length(s[counted:i]), i
			b.WriteString(f([]Value{String(part), Number(place), v}).ToText())
		}
		checkText(float64(b.Len()))
		done = i + len(part)
		if at = done; part == "" && at < len(s) {
			_, n := utf8.DecodeRuneInString(s[at:])
			at += n
		} else if part == "" {
			break
		}
		if !all {
			break
		}
	}
	b.WriteString(s[done:])
	return b.String()
}

// substitute writes a replacement of the part at s[i:], in which $&, $` and the like have a meaning.
func substitute(b *strings.Builder, text, s, part string, i int) {
	for {
		before, after, found := strings.Cut(text, "$")
		b.WriteString(before)
		if !found {
			return
		}
		sign := after
		if after != "" {
			sign = after[:1]
		}
		switch sign {
		case "$":
			b.WriteString("$")
		case "&":
			b.WriteString(part)
		case "`":
			b.WriteString(s[:i])
		case "'":
			b.WriteString(s[i+len(part):])
		default:
			b.WriteString("$")
			text = after
			continue
		}
		text = after[1:]
	}
}

func split(s string, separator, limit Value) Value {
	most := uint32(math.MaxUint32)
	if !limit.IsUndefined() {
		most = Uint32(limit.ToNumber())
	}
	var parts []string
	switch by := separator.ToText(); {
	case most == 0:
	case separator.IsUndefined():
		parts = []string{s}
	case by == "":
		checkItems(len(s)) // not less than its length
		parts = strings.Split(halves(s), "")
	default:
		checkItems(strings.Count(s, by) + 1)
		parts = strings.Split(s, by)
	}
	if uint64(len(parts)) > uint64(most) {
		parts = parts[:most]
	}
	items := make([]Value, len(parts))
	for i, p := range parts {
		items[i] = String(p)
	}
	return list(items)
}

// halves makes each character that is a surrogate pair two of U+FFFD, which its halves are when it is taken apart.
func halves(s string) string {
	if int(Length(s)) == utf8.RuneCountInString(s) {
		return s
	}
	var b strings.Builder
	for _, r := range s {
		if r > 0xffff {
			b.WriteRune(utf8.RuneError)
			r = utf8.RuneError
		}
		b.WriteRune(r)
	}
	return b.String()
}
