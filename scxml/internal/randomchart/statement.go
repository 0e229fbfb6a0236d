package randomchart

import "strconv"

// This file makes the statements of random scripts.

// variable returns a variable of a sort to which can be assigned, or nil.
func (s *scripter) variable(k sort, assign bool) *named {
	var all []*named
	hidden := map[string]bool{}
	for i := len(s.scopes) - 1; i >= 0; i-- {
		for j := len(s.scopes[i]) - 1; j >= 0; j-- {
			if v := &s.scopes[i][j]; !hidden[v.name] {
				hidden[v.name] = true
				if v.sort == k && !(assign && v.fixed) {
					all = append(all, v, v)
				}
			}
		}
	}
	for i := range s.items {
		if v := &s.items[i]; v.sort == k && !(assign && v.fixed) && !hidden[v.name] {
			all = append(all, v)
		}
	}
	if len(all) == 0 {
		return nil
	}
	return choose(s.chartMaker, all)
}

// item returns the name of a data item.
func (s *scripter) item(k sort) string {
	for {
		if v := choose(s.chartMaker, s.items); v.sort == k && !v.fixed && v.name[0] != 'g' {
			return v.name
		}
	}
}

// declare makes a local variable, which is visible from the next statement on.
func (s *scripter) declare(name string, k sort, fixed bool) {
	top := &s.scopes[len(s.scopes)-1]
	*top = append(*top, named{name: name, sort: k, fixed: fixed})
}

// free returns a name that no local variable has, so that no block reads one before its own is declared.
func (s *scripter) free(names ...string) string {
	for {
		name := s.pick(names...) + s.pick("", "", "", "2", "3", "4", "5", "6", "7", "8", "9")
		found := false
		for _, scope := range s.scopes {
			for _, v := range scope {
				found = found || v.name == name
			}
		}
		if !found {
			return name
		}
	}
}

// block writes statements in a scope of their own, which may begin with a variable that hides another.
func (s *scripter) block(n int) {
	s.inside(n, s.maybe(15))
}

func (s *scripter) inside(n int, hides bool) {
	s.indent++
	s.deep++
	s.scopes = append(s.scopes, nil)
	k := s.sort()
	if v := s.variable(k, false); v != nil && hides {
		name := v.name // v is in a slice that grows
		s.line("let %s = %s;", name, s.literal(k, 1))
		s.declare(name, k, false)
	}
	for range n {
		s.statement()
	}
	s.scopes = s.scopes[:len(s.scopes)-1]
	s.deep--
	s.indent--
}

func (s *scripter) statement() {
	n := s.IntN(100)
	k := s.sort()
	if s.deep > 4 && n >= 45 && n < 80 {
		n = s.IntN(45)
	}
	switch {
	case n < 16:
		s.declaration(k)
	case n < 32:
		s.line("%s;", s.assignment(k))
	case n < 45:
		s.line("%s;", s.effect())
	case n < 53:
		s.line("if (%s) {", s.condition())
		s.block(1 + s.IntN(2))
		if s.maybe(50) {
			s.line("} else {")
			s.block(1 + s.IntN(2))
		}
		s.line("}")
	case n < 64:
		s.loop()
	case n < 69:
		s.choice()
	case n < 77:
		s.attempt()
	case n < 79:
		s.line("{")
		s.block(1 + s.IntN(3))
		s.line("}")
	case n < 81:
		s.nested()
	case n < 82:
		s.closures()
	case n < 85:
		s.line("delete %s;", s.part())
	case n < 88 && len(s.loops) > 0:
		word := s.pick("break", "continue")
		switch label := choose(s.chartMaker, s.loops); {
		case label != "" && label != "switch":
			word += " " + label
		case s.loops[len(s.loops)-1] == "switch":
			word = "break"
		}
		s.line("if (%s) %s;", s.condition(), word)
	case n < 90 && s.in > 0:
		s.line("if (%s) return %s;", s.condition(), s.expr(s.result, 1))
	case n < 92:
		s.line("if (%s) throw %s;", s.condition(), s.pick("new Error('no')", "new TypeError(str0)", "'text'", "1", s.expr(anything, 1), "{n: 1}", "null"))
	default:
		s.line("t(%s);", s.expr(k, 2))
	}
}

func (s *scripter) declaration(k sort) {
	if s.maybe(15) {
		k = aFunction
	}
	kind := s.pick("let", "let", "let", "const", "const")
	name := s.free("x", "y", "z", "w", "item", "name", "o")
	if s.in > 0 && s.maybe(25) {
		kind, name = "var", s.free("v1", "v2", "v3")
	}
	switch {
	case kind == "const" || s.maybe(85):
		s.line("%s %s = %s;", kind, name, s.expr(k, 2))
	case kind == "var": // without a value it may have that of an argument, see SUPPORTED.md
		s.line("var %s = undefined;", name)
	default:
		s.line("%s %s;", kind, name)
	}
	s.declare(name, k, kind == "const")
}

// nested declares a function in a function or block, which may be called before.
func (s *scripter) nested() {
	name := s.free("h", "k")
	p := s.pick("a", "x")
	call := "t(" + name + "(" + s.expr(aNumber, 1) + "));"
	before := s.maybe(30)
	if before {
		s.line("%s", call)
	}
	s.inFunction(aNumber, []named{{name: p, sort: aNumber}}, func() {
		s.line("function %s(%s) {", name, p)
		s.body()
		s.line("}")
	})
	s.declare(name, aFunction, true)
	if !before {
		s.line("%s", call)
	}
}

// closures writes a loop that makes functions, which see its variable.
func (s *scripter) closures() {
	one, two := s.free("c"), s.free("d")
	if one == two {
		return
	}
	kind, i := s.pick("let", "let", "var"), "i"
	if kind == "var" {
		i = "vi"
		if s.in == 0 {
			return
		}
	}
	s.line("let %s, %s;", one, two)
	s.line("for (%s %s = 0; %s < 3; %s++) {", kind, i, i, i)
	s.line(" if (!%s) %s = () => t(%s); else %s = x => %s = x + %s;", one, one, s.pick(i, i+"++", "num0 + "+i), two, i, i)
	if s.maybe(40) {
		s.line(" %s;", s.pick(i+"++", one+"()", "if ("+i+" == 1) continue"))
	}
	s.line("}")
	s.line("t(%s() + %s(1)); t(%s());", one, two, one)
}

// inFunction writes a function that is a value.
func (s *scripter) inFunction(result sort, params []named, write func()) {
	outer, loops := s.result, s.loops
	s.result, s.loops = result, nil
	s.in++
	s.deep++
	s.scopes = append(s.scopes, params)
	write()
	s.scopes = s.scopes[:len(s.scopes)-1]
	s.deep--
	s.in--
	s.result, s.loops = outer, loops
}

// loop writes a loop. It ends: its counter is left alone, or it takes fuel.
func (s *scripter) loop() {
	label := ""
	if s.maybe(25) {
		label = "l" + strconv.Itoa(len(s.loops))
		s.line("%s:", label)
	}
	fuel := func() { s.line(" if (fuel-- < 0) break;") }
	s.scopes = append(s.scopes, nil)
	s.loops = append(s.loops, label)
	i := s.pick("i", "j")
	switch s.IntN(6) {
	case 0, 1:
		kind := s.pick("let", "let", "let", "var")
		if s.in == 0 {
			kind = "let"
		}
		if kind == "var" {
			i = "v" + i
		}
		s.line("for (%s %s = 0; %s < %s; %s) {", kind, i, i, s.pick("3", "2", s.expr(aNumber, 1)), s.pick(i+"++", i+" += 2", "++"+i, i+"++, t("+i+")"))
		s.declare(i, aNumber, true)
		fuel()
		s.block(1 + s.IntN(3))
		s.line("}")
	case 2:
		of := s.expr([]sort{anObject, numberList, aList}[s.IntN(3)], 1)
		s.line("for (%s %s in %s) {", s.pick("let", "const"), i, of)
		s.declare(i, aText, true)
		fuel()
		s.block(1 + s.IntN(3))
		s.line("}")
	case 3:
		k := []sort{numberList, numberList, aList, aText}[s.IntN(4)]
		s.line("for (%s %s of %s) {", s.pick("let", "const"), i, s.expr(k, 1))
		s.declare(i, map[sort]sort{numberList: aNumber, aList: anything, aText: aText}[k], true)
		fuel()
		s.block(1 + s.IntN(3))
		s.line("}")
	case 4:
		s.line("while (%s) {", s.condition())
		fuel()
		s.block(1 + s.IntN(3))
		s.line("}")
	default:
		s.line("do {")
		fuel()
		s.block(1 + s.IntN(3))
		s.line("} while (%s);", s.condition())
	}
	s.loops = s.loops[:len(s.loops)-1]
	s.scopes = s.scopes[:len(s.scopes)-1]
}

// choice writes a switch.
func (s *scripter) choice() {
	k := sort(s.IntN(3))
	s.line("switch (%s) {", s.expr(k, 1))
	s.loops = append(s.loops, "switch")
	cases, otherwise := 1+s.IntN(3), s.IntN(6)
	for i := range cases {
		if i == otherwise {
			s.line("default:")
		} else {
			s.line("case %s:", s.expr(k, s.IntN(2)))
		}
		s.indent++
		s.scopes = append(s.scopes, nil)
		if s.maybe(15) {
			s.line("let %s%d = %s;", "sw", i, s.literal(k, 0))
			s.declare("sw"+strconv.Itoa(i), k, false)
		}
		for range s.IntN(3) {
			s.line("%s;", s.effect())
		}
		if word := s.pick("break", "continue"); s.maybe(15) && len(s.loops) > 1 && s.loops[len(s.loops)-2] != "switch" {
			s.line("if (%s) %s;", s.condition(), word)
		}
		s.scopes = s.scopes[:len(s.scopes)-1]
		s.indent--
		if s.maybe(60) {
			s.line(" break;")
		}
	}
	s.loops = s.loops[:len(s.loops)-1]
	s.line("}")
}

// attempt writes a try.
func (s *scripter) attempt() {
	s.line("try {")
	s.block(1 + s.IntN(3))
	form := s.IntN(4)
	if form != 0 {
		s.line("} catch (e) {")
		s.scopes = append(s.scopes, []named{{name: "e", sort: anything}})
		s.line(" t(%s);", s.pick("e", "e.message", "String(e)", "e.name", "e instanceof Error", "typeof e"))
		s.inside(s.IntN(3), false)
		s.scopes = s.scopes[:len(s.scopes)-1]
	}
	if form < 2 {
		// What finally throws, goja's catch of the same try catches: SUPPORTED.md.
		s.line("} finally {")
		s.line(" t(%s);", s.literal(s.sort(), 0))
		if s.maybe(50) {
			s.line(" num0 = %s;", s.literal(aNumber, 0))
		}
		if s.in > 0 && s.maybe(10) {
			s.line(" return %s;", s.literal(s.result, 0))
		}
	}
	s.line("}")
}

// condition returns one that is not constant: goja has a fault with break and continue in what cannot be reached.
func (s *scripter) condition() string {
	if s.maybe(30) {
		return s.variable(aTruth, false).name
	}
	return "t(" + s.expr(aTruth, 1+s.IntN(2)) + ")"
}
