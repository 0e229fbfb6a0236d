package randomchart

import (
	"strconv"
	"strings"
)

// This file makes the expressions of random scripts. They leave out what goja has faults with: products of 0 and negative
// numbers, integers beyond 2⁶³, half a surrogate pair.

// literal returns a value.
func (s *scripter) literal(k sort, depth int) string {
	switch k {
	case aNumber:
		return s.pick("0", "1", "2", "3", "7", "-1", "0.5", "100")
	case aText:
		return s.pick("''", "'a'", "'b'", "'é'", "'12'", "'a,b c'", "'n'", "'0'")
	case aTruth:
		return s.pick("true", "false")
	case numberList:
		return s.pick("[]", "[1]", "[3, 1, 2]", "[0.5, 10, 9, -1]", "[2, 2]")
	case aList:
		if depth <= 0 {
			return s.pick("[]", "[1, 'a']", "[1, , 3]", "[null, undefined]", "[true]")
		}
		var items []string
		for range s.IntN(4) {
			items = append(items, s.literal(s.sort(), depth-1))
		}
		return "[" + strings.Join(items, s.pick(", ", ", ", ", ", ", , ")) + "]"
	case anObject:
		if depth <= 0 {
			return s.pick("{}", "{n: 1}", "{n: 2, s: 'x'}", "{b: true, n: 3}", "{2: 1, n: 4, 1: 2}")
		}
		return "{n: " + s.literal(aNumber, 0) + ", s: " + s.literal(aText, 0) + ", a: " + s.literal(numberList, 0) + s.pick("}", ", o: "+s.literal(anObject, depth-1)+"}")
	case aFunction:
		return s.pick("x => x", "a => a + 1", "function (x) { return x * 2 }", "() => 1")
	}
	return s.pick("undefined", "null", "1", "'a'", "true")
}

// place returns a location.
func (s *scripter) place(k sort) string {
	if v := s.variable(k, true); v != nil && s.maybe(55) {
		return v.name
	}
	return s.part()
}

// part returns a property.
func (s *scripter) part() string {
	of := func(k sort) string {
		if v := s.variable(k, false); v != nil && s.maybe(80) {
			return v.name
		}
		return s.operand(k, 1)
	}
	switch s.IntN(8) {
	case 0, 1:
		return of(anObject) + "." + s.pick("n", "s", "b", "z")
	case 2:
		return of(anObject) + ".o." + s.pick("n", "s")
	case 3:
		return of(anObject) + "[" + s.key() + "]"
	case 4:
		return of(aList) + "[" + s.index() + "]"
	case 5:
		return of(anObject) + ".a[" + s.index() + "]"
	case 6:
		return of(numberList) + ".length"
	}
	return of(numberList) + "[" + s.index() + "]"
}

func (s *scripter) key() string {
	if s.maybe(30) {
		return "t(" + s.expr(aText, 0) + ")"
	}
	return s.pick("'n'", "'s'", "'k' + "+s.operand(aNumber, 0), s.operand(aNumber, 0)+" & 3", s.expr(aText, 1))
}

func (s *scripter) index() string {
	return s.pick("0", "1", "t(1)", s.operand(aNumber, 1)+" & 3", s.operand(aNumber, 0)+" & 1", s.operand(aNumber, 0)+" % 8")
}

// small returns an expression of a sort whose value is not large.
func (s *scripter) small(k sort, depth int) string {
	x := s.operand(k, depth)
	switch k {
	case aNumber:
		return x + " % 1000"
	case aText:
		return x + ".slice(0, 12)"
	case numberList, aList:
		return x + ".slice(0, 6)"
	}
	return x
}

// assignment returns an assignment or the like, as an expression that is in parentheses where that is necessary.
func (s *scripter) assignment(k sort) string {
	switch n := s.IntN(20); {
	case n < 3:
		k = aNumber
		to := s.place(k)
		return s.pick(to+"++", to+"--", "++"+to, "--"+to)
	case n < 7:
		to := s.place(aNumber)
		if strings.HasSuffix(to, ".length") { // goja goes through all holes of a long array
			return to + " %= 7"
		}
		return to + " " + s.pick("+=", "-=", "%=", "&=", "|=", "^=", ">>=", "<<=", ">>>=") + " " + s.operand(aNumber, 1) + " & 7"
	case n < 9:
		to := s.place(aText)
		if strings.HasSuffix(to, ".length") {
			return to + "--"
		}
		return to + " += " + s.pick(s.literal(aText, 0), s.operand(aNumber, 1), "t("+s.literal(aText, 0)+")", "null")
	case n < 11:
		k := s.sort()
		return s.place(k) + " " + s.pick("&&=", "||=", "??=") + " " + s.small(k, 1)
	case n < 12 && k != aNumber:
		return "any0 = " + s.expr(anything, 1)
	}
	to := s.place(k)
	if strings.HasSuffix(to, ".length") {
		return to + " = " + s.operand(aNumber, 0) + " & 3"
	}
	return to + " = " + s.small(k, 2)
}

// effect returns an expression that does something.
func (s *scripter) effect() string {
	list, numbers := s.variable(aList, false).name, s.variable(numberList, false).name
	switch s.IntN(10) {
	case 0:
		return numbers + ".push(" + s.expr(aNumber, 1) + ")"
	case 1:
		return list + ".push(" + s.literal(s.sort(), 0) + ", " + s.expr(sort(s.IntN(3)), 1) + ")"
	case 2:
		return list + s.pick(".pop()", ".shift()", ".reverse()", ".unshift("+s.expr(aNumber, 1)+")", ".splice("+s.index()+", 1, "+s.literal(s.sort(), 0)+")", ".length = 2")
	case 3:
		return numbers + ".forEach(" + s.callback(anything, false) + ")"
	case 4:
		return numbers + ".sort(" + s.pick("", "(a, b) => a - b", "(a, b) => t(b) - a", "(a, b) => a < b ? 1 : -1", "() => 0") + ")"
	case 5, 6:
		return s.call(choose(s.chartMaker, s.funcs))
	case 7:
		to := s.variable(anObject, false).name
		return to + " instanceof Object && Object.assign(" + to + ", " + s.expr(anObject, 1) + ")"
	}
	return "t(" + s.assignment(s.sort()) + ")"
}

// call returns a call of a function of the chart, sometimes with arguments missing or left over.
func (s *scripter) call(f *named) string {
	var args []string
	for _, k := range f.params {
		args = append(args, s.expr(k, 1))
	}
	switch {
	case s.maybe(10) && len(args) > 0:
		args = args[:len(args)-1]
	case s.maybe(8):
		args = append(args, "t("+s.expr(aNumber, 0)+")")
	}
	return f.name + "(" + strings.Join(args, ", ") + ")"
}

// callback returns a function for methods of arrays.
func (s *scripter) callback(result sort, two bool) string {
	params := []named{{name: s.pick("a", "x", "it"), sort: aNumber}}
	list := params[0].name
	if two || s.maybe(30) {
		params = append(params, named{name: "i", sort: aNumber})
		list += ", i"
	}
	if s.calls > 1 {
		return s.literal(aFunction, 0)
	}
	s.calls++
	defer func() { s.calls-- }()
	var out string
	s.inFunction(result, params, func() {
		if s.maybe(65) {
			out = "(" + list + ") => " + s.operand(result, 1)
			return
		}
		outer, indent := s.b.String(), s.indent
		s.b.Reset()
		s.indent = 0
		s.body()
		text := strings.ReplaceAll(strings.TrimSpace(s.b.String()), "\n", "\n"+strings.Repeat(" ", indent+1))
		s.b.Reset()
		s.b.WriteString(outer)
		s.indent = indent
		out = s.pick("("+list+") => {", "function ("+list+") {", "function rec("+list+") {") + "\n" + strings.Repeat(" ", indent+1) + text + "\n" + strings.Repeat(" ", indent) + "}"
	})
	return out
}

// operand returns an expression that any operator can have beside it.
func (s *scripter) operand(k sort, depth int) string {
	x := s.expr(k, depth)
	for i := range len(x) {
		if c := x[i]; !(c == '_' || c == '.' || '0' <= c && c <= '9' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z') {
			return "(" + x + ")"
		}
	}
	if '0' <= x[0] && x[0] <= '9' {
		return "(" + x + ")"
	}
	return x
}

// expr returns an expression of a sort, nearly always.
func (s *scripter) expr(k sort, depth int) string {
	if s.maybe(4) {
		k = s.sort()
	}
	if n := s.IntN(10); depth <= 0 || n < 3 {
		if v := s.variable(k, false); v != nil && s.maybe(75) {
			return v.name
		}
		return s.literal(k, 0)
	}
	of := func(k sort) string { return s.operand(k, depth-1) }
	if k == aFunction {
		return s.functionValue()
	}
	one := func(list ...func() string) string { return choose(s.chartMaker, list)() }
	switch s.IntN(14) {
	case 0:
		return of(aTruth) + " ? " + of(k) + " : " + of(k)
	case 1:
		return s.pick("t", "t", "t") + "(" + of(k) + ")"
	case 2:
		return of(k) + s.pick(" && ", " || ") + of(k)
	case 3:
		return of(anything) + " ?? " + of(k)
	case 4:
		return "((" + s.assignment(k) + "), " + of(k) + ")"
	case 5:
		for _, f := range s.funcs {
			if f.result == k && s.maybe(60) {
				return s.call(f)
			}
		}
	case 6:
		if s.calls < 2 {
			s.calls++
			defer func() { s.calls-- }()
			arg, body := s.expr(aNumber, 0), ""
			s.inFunction(k, []named{{name: "q", sort: aNumber}}, func() { body = s.operand(k, depth-1) })
			return "(q => " + body + ")(" + arg + ")"
		}
	}
	switch k {
	case aNumber:
		return one(
			func() string { return of(aNumber) + s.pick(" + ", " - ") + of(aNumber) },
			func() string { return of(aNumber) + s.pick(" + ", " - ") + of(aNumber) },
			func() string { return of(aNumber) + " % 1000 * (" + of(aNumber) + " % 1000) + 0" },
			func() string { return of(aNumber) + s.pick(" % ", " / ") + of(aNumber) },
			func() string {
				return of(aNumber) + s.pick(" & ", " | ", " ^ ", " << ", " >> ", " >>> ") + of(aNumber)
			},
			func() string { return s.pick("+", "-", "~") + of(aNumber) },
			func() string {
				return s.pick("Math.floor", "Math.abs", "Math.round", "Number", "Math.trunc") + "(" + of(aNumber) + ")"
			},
			func() string { return s.pick("Math.max", "Math.min") + "(" + of(aNumber) + ", " + of(aNumber) + ")" },
			func() string { return of(s.pickSort(aText, numberList, aList)) + ".length" },
			func() string { return of(numberList) + "[" + s.index() + "]" },
			func() string { return of(anObject) + ".n" },
			func() string { return of(anObject) + s.pick(".o?.n", "?.o.n", ".o.n", "?.['n']", ".a?.[1]") },
			func() string { return "tn(" + of(aNumber) + ")" },
			func() string {
				return of(numberList) + s.pick(".indexOf", ".lastIndexOf", ".push") + "(" + of(aNumber) + ")"
			},
			func() string { return of(aText) + ".indexOf(" + of(aText) + ")" },
			func() string {
				return of(numberList) + ".reduce(" + s.reducer() + s.pick(")", ", "+of(aNumber)+")")
			},
			func() string { return of(numberList) + ".findIndex(" + s.callback(aTruth, false) + ")" },
			func() string { return of(aFunction) + "(" + of(aNumber) + ")" },
			func() string { return "Number(" + of(aText) + ")" },
			func() string { return "(parseInt(" + of(aText) + ".slice(0, 9), 10) + 0)" },
			func() string {
				to := s.place(aNumber)
				return s.pick(to+"++", "++"+to, "--"+to, to+"--")
			},
			func() string { return s.place(aNumber) + s.pick(" = ", " += ", " -= ") + of(aNumber) + " % 100" },
			func() string { return of(aText) + ".charCodeAt(" + s.index() + ")" },
			func() string { return s.read("n") },
		)
	case aText:
		return one(
			func() string { return of(aText) + " + " + of(s.sort()) },
			func() string { return of(s.sort()) + " + " + of(aText) },
			func() string { return "`" + s.pick("", "x", "é") + "${" + s.expr(s.sort(), depth-1) + "}`" },
			func() string { return "`${" + s.expr(aNumber, depth-1) + "}-${" + s.expr(aText, depth-1) + "}`" },
			func() string { return "typeof " + of(anything) },
			func() string { return "String(" + s.expr(anything, depth-1) + ")" },
			func() string { return of(aText) + ".slice(" + s.index() + s.pick(")", ", "+s.index()+")") },
			func() string {
				return of(aText) + s.pick(".toUpperCase()", ".trim()", ".charAt(1)", ".slice(0, 9).repeat(2)", ".padStart(4, '*')", ".substring(1)", ".replace('a', 'A')", ".concat('x', 1)", ".toString()", ".substr(1, 1)")
			},
			func() string { return of(numberList) + ".join(" + s.pick("", "'-'", of(aText)) + ")" },
			func() string { return of(aList) + ".join()" },
			func() string { return "Object.keys(" + s.expr(anObject, depth-1) + ").join()" },
			func() string { return "String(JSON.stringify(" + s.expr(s.sort(), depth-1) + ")).slice(0, 40)" },
			func() string { return of(anObject) + ".s" },
			func() string { return of(aText) + "[" + s.index() + "]" },
			func() string { return of(aNumber) + ".toFixed(" + s.pick("", "0", "2") + ")" },
			func() string { return of(aNumber) + ".toString()" },
			func() string { return s.place(aText) + " = " + s.small(aText, depth-1) },
			func() string { return s.pick("_name", "_sessionid", s.read("s")) },
		)
	case aTruth:
		return one(
			func() string { return of(aNumber) + s.pick(" < ", " <= ", " > ", " >= ") + of(aNumber) },
			func() string { return of(aNumber) + s.pick(" < ", " === ", " == ", " != ") + of(aNumber) },
			func() string { return of(aText) + s.pick(" < ", " === ", " > ", " !== ") + of(aText) },
			func() string { return "!" + of(s.sort()) },
			func() string { k := s.sort(); return of(k) + s.pick(" === ", " !== ") + of(k) },
			func() string { return of(s.sort()) + " === " + of(s.sort()) },
			func() string { return of(s.sort()) + s.pick(" == ", " != ") + s.pick("null", "undefined") },
			func() string { return s.key() + " in " + of(s.pickSort(anObject, anObject, aList)) },
			func() string { return of(anything) + " instanceof " + s.pick("Array", "Object", "Error") },
			func() string { return "Array.isArray(" + s.expr(s.sort(), depth-1) + ")" },
			func() string { return of(numberList) + ".includes(" + of(aNumber) + ")" },
			func() string {
				return of(numberList) + s.pick(".some", ".every") + "(" + s.callback(aTruth, false) + ")"
			},
			func() string {
				return of(aText) + s.pick(".includes", ".startsWith", ".endsWith") + "(" + of(aText) + ")"
			},
			func() string { return s.pick("isNaN", "isFinite") + "(" + of(aNumber) + ")" },
			func() string { return "delete " + s.part() },
			func() string { return of(anObject) + ".hasOwnProperty(" + s.key() + ")" },
			func() string { return of(anObject) + ".b" },
			func() string { return s.place(aTruth) + " = " + of(aTruth) },
			func() string { return "In('s')" },
		)
	case numberList:
		return one(
			func() string { return "[" + of(aNumber) + ", " + of(aNumber) + "]" },
			func() string { return of(numberList) + ".map(" + s.callback(aNumber, false) + ")" },
			func() string { return of(numberList) + ".filter(" + s.callback(aTruth, false) + ")" },
			func() string {
				return of(numberList) + ".slice(" + s.pick("", s.index()) + ")" + s.pick("", ".reverse()", ".sort()", ".sort((a, b) => a - b)", ".fill(1)")
			},
			func() string { return of(numberList) + ".concat(" + of(numberList) + ").slice(0, 5)" },
			func() string { return of(numberList) + ".splice(" + s.index() + ", " + s.index() + ")" },
			func() string { return of(anObject) + ".a" },
			func() string { return of(aText) + ".split('')" },
			func() string { return s.place(numberList) + " = " + s.small(numberList, depth-1) },
		)
	case aList:
		return one(
			func() string { return "[" + of(s.sort()) + ", " + of(s.sort()) + ", ]" },
			func() string { return "[" + of(s.sort()) + ", , [" + of(aNumber) + "]]" },
			func() string {
				return s.pick("Object.entries", "Object.values") + "(" + s.expr(anObject, depth-1) + ")"
			},
			func() string { return of(aList) + ".concat(" + of(s.sort()) + ").slice(0, 5)" },
			func() string { return of(numberList) + ".map(" + s.callback(s.sort(), false) + ")" },
			func() string { return of(aText) + ".split(" + s.pick("','", "''", "'a'") + ")" },
			func() string { return of(aList) + ".slice(" + s.index() + ")" },
			func() string { return s.place(aList) + " = " + s.small(aList, depth-1) },
		)
	case anObject:
		return one(
			func() string { return "{n: " + of(aNumber) + ", s: " + of(aText) + "}" },
			func() string { return "{a: " + of(numberList) + ", n: " + of(aNumber) + ", o: " + of(anObject) + "}" },
			func() string { return "{[" + s.key() + "]: " + of(s.sort()) + ", n: " + of(aNumber) + "}" },
			func() string { return of(anObject) + ".o" },
			func() string { return "Object.assign({}, " + s.expr(anObject, depth-1) + ", {n: " + of(aNumber) + "})" },
			func() string { return s.place(anObject) + " = " + of(anObject) },
			func() string { return s.read("o") },
		)
	}
	return one(
		func() string { return s.expr(s.sort(), depth-1) },
		func() string { return of(aList) + "[" + s.index() + "]" },
		func() string { return of(anObject) + "[" + s.key() + "]" },
		func() string { return of(anObject) + s.pick(".z", ".o", "?.o?.o", ".o?.a[0]") },
		func() string { return of(numberList) + s.pick(".pop()", ".shift()") },
		func() string { return of(numberList) + ".find(" + s.callback(aTruth, false) + ")" },
		func() string {
			return s.pick("nowhere", "v1", "v2", "typeof v1", "typeof nowhere", "void "+of(aNumber))
		},
		func() string { return s.read(s.pick("n", "s", "a", "o")) },
		func() string { return "any0 = " + s.expr(s.sort(), depth-1) },
	)
}

func (s *scripter) functionValue() string {
	for _, f := range s.funcs {
		if s.maybe(10) {
			return f.name
		}
	}
	return s.callback(aNumber, false)
}

func (s *scripter) pickSort(list ...sort) sort { return choose(s.chartMaker, list) }

func (s *scripter) reducer() string {
	if s.maybe(50) {
		return s.pick("(a, b) => a + b", "(sum, x, i) => sum + x % 100 + i", "(a, b) => { t(a); return b }")
	}
	return s.callback(aNumber, true)
}

// read returns a member of the event's data.
func (s *scripter) read(member string) string {
	if !s.event {
		return strconv.Itoa(s.IntN(3))
	}
	return s.pick("_event.data."+member, "_event.data."+member, "_event.data?."+member, "_event.name", "_event?.data?."+member)
}
