package js

import (
	"math"
)

// String returns v for people: like JSON, but with undefined, NaN and the like.
func (v Value) String() string {
	p := printer{}
	p.write(v)
	return string(p.out)
}

// A printer writes values as the interpreter does in messages.
type printer struct {
	out    []byte
	walk   walk
	failed bool // data contain themselves, or are nested too deep
}

func (p *printer) write(v Value) {
	switch v.typ() {
	case TypeString:
		p.out = appendQuoted(p.out, v.Text())
	case TypeNumber:
		if v.Number() == 0 && math.Signbit(v.Number()) {
			p.out = append(p.out, '-')
		}
		p.out = append(p.out, NumberText(v.Number())...)
	case TypeObject:
		p.object(v)
	case typeHole:
		p.out = append(p.out, "undefined"...)
	default:
		p.out = append(p.out, v.ToText()...)
	}
}

func (p *printer) object(v Value) {
	o := v.object()
	switch {
	case o == nil:
		p.out = append(p.out, "{}"...)
		return
	case o.class == function:
		p.out = append(p.out, "function ()"...)
		return
	case o.class == errorObject:
		o = errorData(o).Object()
	}
	if err := p.walk.enter(o); err != nil {
		p.out, p.failed = append(p.out, "…"...), true
		return
	}
	defer p.walk.leave()
	if o.class == array {
		p.out = append(p.out, '[')
		for i, item := range o.values {
			if i > 0 {
				p.out = append(p.out, ',')
			}
			p.write(item)
		}
		p.out = append(p.out, ']')
		return
	}
	p.out = append(p.out, '{')
	for i, name := range o.names() {
		if i > 0 {
			p.out = append(p.out, ',')
		}
		p.out = append(appendQuoted(p.out, name), ':')
		p.write(o.get(name))
	}
	p.out = append(p.out, '}')
}

// appendQuoted appends a string as JSON.stringify writes it.
func appendQuoted(dst []byte, s string) []byte {
	const hex = "0123456789abcdef"
	dst = append(dst, '"')
	done := 0
	for i := 0; i < len(s); i++ {
		c := s[i]
		if c >= ' ' && c != '"' && c != '\\' {
			continue
		}
		dst = append(dst, s[done:i]...)
		done = i + 1
		switch c {
		case '"', '\\':
			dst = append(dst, '\\', c)
		case '\b':
			dst = append(dst, `\b`...)
		case '\t':
			dst = append(dst, `\t`...)
		case '\n':
			dst = append(dst, `\n`...)
		case '\f':
			dst = append(dst, `\f`...)
		case '\r':
			dst = append(dst, `\r`...)
		default:
			dst = append(dst, `\u00`...)
			dst = append(dst, hex[c>>4], hex[c&15])
		}
	}
	return append(append(dst, s[done:]...), '"')
}
