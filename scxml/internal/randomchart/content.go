package randomchart

import (
	"strconv"
	"strings"
)

// This file makes the executable content of random charts.

func (g *chartMaker) expr() string {
	switch g.IntN(12) {
	case 0, 1:
		return strconv.Itoa(g.IntN(3))
	case 2, 3:
		return "(" + g.item() + " + 1) % 3"
	case 4:
		return "_event.name"
	case 5:
		return "_event.data"
	case 6:
		return "[" + g.item() + ", 2, 3].slice(0, 3)"
	case 7:
		return g.pick("nowhere", "null", "undefined", "{x: 1, p: 2}", "_event.type", "_event.invokeid", "_event.sendid", "1 +", "'text'", "In('s1')")
	case 8:
		return "'" + g.item() + "'"
	}
	return g.item()
}

// body makes up to n pieces of executable content.
func (g *chartMaker) body(n int) []*Element {
	var body []*Element
	if g.plain && g.maybe(60) {
		return nil
	}
	for range 1 + g.IntN(n) {
		body = append(body, g.content(0))
	}
	return body
}

func (g *chartMaker) content(depth int) *Element {
	n := g.IntN(20)
	switch {
	case n < 6 || g.plain:
		return elem("raise", "event", g.pick("a", "b", "c", "i", "i", "i.j", "d", "error.mine"))
	case n < 8:
		e := elem("log", "label", g.pick("one", "two"))
		if g.script && g.maybe(70) || g.maybe(5) {
			e.set("expr", g.expr())
		}
		return e
	case n < 12:
		return g.send()
	case n < 13:
		return g.cancel()
	case n < 15 && depth < 2:
		e := elem("if", "cond", g.cond())
		for range g.IntN(3) {
			e.add(g.content(depth + 1))
		}
		if g.maybe(40) {
			e.add(elem("elseif", "cond", g.cond()), g.content(depth+1))
		}
		if g.maybe(50) {
			e.add(elem("else"))
			for range g.IntN(2) {
				e.add(g.content(depth + 1))
			}
		}
		return e
	case !g.script && g.maybe(90):
		return elem("raise", "event", "i")
	case n < 16 && depth < 2:
		e := elem("foreach", "array", g.pick("[1, 2, 3]", "[1, 2, 3]", g.item(), g.expr(), "[]", "[1, 2, 3, 4]"), "item", g.pick("it", g.item(), "1x"))
		if g.maybe(40) {
			e.set("index", "at")
		}
		for range g.IntN(3) {
			e.add(g.content(depth + 1))
		}
		return e
	case n < 17:
		e := elem("script")
		e.Text = g.pick("v0 = (v0 + 1) % 3", "nowhere()", "var x = 1; v0 = x", "throw 1")
		return e
	case n < 18 && g.maybe(10):
		return elem("other:thing", "xmlns:other", "urn:other")
	}
	e := elem("assign", "location", g.pick(g.item(), g.item(), g.item(), g.item(), g.item()+".x", "nowhere", "_event", "1 + 1"))
	switch g.IntN(12) {
	case 0:
		e.Text = `{"x": 2}`
	case 1:
	default:
		e.set("expr", g.expr())
	}
	return e
}

func (g *chartMaker) send() *Element {
	e := elem("send")
	switch {
	case g.script && g.maybe(8):
		e.set("eventexpr", g.pick("'a'", "'i.' + "+g.item(), "_event.name", "undefined", "nowhere", "null"))
	case g.maybe(2):
	default:
		e.set("event", g.pick("a", "b", "c", "d", "t", "t", "t", "i"))
	}
	internal := false
	switch n := g.IntN(100); {
	case n < 12:
		internal = true
		e.set("target", "#_internal")
	case n < 15 || g.kid && n < 70:
		e.set("target", "#_parent")
	case n < 28 && len(g.kids) > 0:
		e.set("target", "#_"+choose(g, g.kids))
	case n < 31:
		e.set("target", g.pick("nonsense", "#_nobody", "#_scxml_nobody"))
	case n < 38 && g.script:
		e.set("targetexpr", g.pick("'#_scxml_' + _sessionid", "_event.origin", "_event.origin", "_ioprocessors.scxml.location", "'#_internal'", "nowhere"))
	}
	switch g.IntN(50) {
	case 0:
		e.set("type", "nonsense")
	case 1, 2:
		e.set("type", "http://www.w3.org/TR/scxml/#SCXMLEventProcessor")
	case 3:
		if g.script {
			e.set("typeexpr", g.pick("'scxml'", "'none'", "nowhere"))
		}
	}
	if g.maybe(35) {
		if g.script && g.maybe(40) {
			e.set("idlocation", g.pick(g.item(), g.item(), "nowhere", "1"))
		} else {
			e.set("id", g.pick("x", "y", "z"))
		}
	}
	if !internal && g.maybe(60) {
		if g.script && g.maybe(20) {
			e.set("delayexpr", g.pick("'10ms'", "'30ms'", "'soon'", "nowhere", "'0s'", "-1", "20"))
		} else {
			e.set("delay", g.pick("10ms", "10ms", "20ms", "30ms", "0s", "1s"))
		}
	}
	if g.script && g.maybe(45) {
		if g.maybe(75) {
			g.payload(e, true)
			return e
		}
		c := elem("content")
		if g.maybe(50) {
			c.set("expr", g.expr())
		} else {
			c.Text = g.pick(`{"x": 1}`, "some  text")
		}
		e.add(c)
	}
	return e
}

// payload adds a namelist, or params, or both.
func (g *chartMaker) payload(e *Element, both bool) {
	if g.maybe(40) {
		e.set("namelist", g.pick(g.item(), g.item()+" "+g.item(), "nowhere"))
		if !both {
			return
		}
	}
	for g.maybe(55) {
		p := elem("param", "name", g.pick("x", "x", "p", "v0", "v0", g.item(), g.item(), "_event"))
		switch {
		case g.maybe(70):
			p.set("expr", g.expr())
		case g.maybe(90):
			p.set("location", g.pick(g.item(), g.item(), "nowhere"))
		}
		e.add(p)
	}
}

func (g *chartMaker) cancel() *Element {
	if g.script && g.maybe(20) {
		return elem("cancel", "sendidexpr", g.pick("'x'", "'y'", "'' + "+g.item(), "nowhere", "undefined"))
	}
	return elem("cancel", "sendid", g.pick("x", "y", "z"))
}

func (g *chartMaker) donedata() *Element {
	e := elem("donedata")
	switch {
	case !g.script:
		if g.maybe(20) {
			e.add(elem("param", "name", "p"))
		}
	case g.maybe(50):
		c := elem("content")
		if g.maybe(70) {
			c.set("expr", g.expr())
		} else {
			c.Text = `[1, 2]`
		}
		e.add(c)
	default:
		for range 1 + g.IntN(2) {
			e.add(elem("param", "name", g.pick("x", "p"), "expr", g.expr()))
		}
	}
	return e
}

func (g *chartMaker) invoke() *Element {
	e := elem("invoke")
	if g.maybe(60) {
		id := "k" + strconv.Itoa(len(g.kids)+1)
		if g.kid {
			id = "k" + id
		}
		g.kids = append(g.kids, id)
		e.set("id", id)
	} else if g.script && g.maybe(40) {
		e.set("idlocation", g.pick(g.item(), g.item(), "nowhere"))
	}
	if g.maybe(20) {
		if g.script && g.maybe(40) {
			e.set("typeexpr", g.pick("'scxml'", "'nonsense'", "nowhere", "'service'"))
		} else {
			e.set("type", g.pick("scxml", "http://www.w3.org/TR/scxml/", "nonsense", "service", "service"))
		}
	}
	if g.maybe(40) {
		e.set("autoforward", "true")
	}
	if g.script && g.maybe(50) {
		g.payload(e, false)
	}
	kid := &chartMaker{Rand: g.Rand, script: g.script && g.maybe(80) || g.maybe(5), kid: true, files: g.files}
	document := kid.document()
	inline := func() {
		c := elem("content")
		c.add(document)
		e.add(c)
	}
	switch n := g.IntN(20); {
	case n < 14:
		inline()
	case n < 16:
		name := "kid" + strconv.Itoa(len(g.files)+1) + ".scxml"
		document.set("xmlns", "http://www.w3.org/2005/07/scxml")
		g.files[name] = document
		if g.script && g.maybe(50) {
			e.set("srcexpr", "'"+name+"'")
		} else {
			e.set("src", name)
		}
	case n < 17:
		e.set(g.pick("src", "srcexpr"), g.pick("missing.scxml", "", "../up.scxml"))
	case g.script:
		document.set("xmlns", "http://www.w3.org/2005/07/scxml")
		text := document.String()
		if g.maybe(15) {
			text = "<scxml version='1.0'><state></scxml>"
		}
		quoted := "'" + strings.NewReplacer(`\`, `\\`, "'", `\'`, "\n", " ").Replace(text) + "'"
		e.add(elem("content", "expr", g.pick(quoted, quoted, quoted, g.expr())))
	default:
		inline()
	}
	if g.maybe(60) {
		f := elem("finalize")
		for range g.IntN(3) {
			switch {
			case !g.script || g.maybe(30):
				f.add(elem("log", "label", "finalize"))
			case g.maybe(20):
				f.add(g.cancel())
			default:
				f.add(elem("assign", "location", g.pick(g.item(), g.item(), "nowhere"), "expr", g.expr()))
			}
		}
		e.add(f)
	}
	return e
}
