package editor

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"
)

// ask asks a document everything at an offset, and returns what is wrong with the answers.
func ask(d *Document, offset int) (problem string) {
	text := d.Text()
	bad := func(format string, args ...any) {
		if problem == "" {
			problem = fmt.Sprintf("at %d: ", offset) + fmt.Sprintf(format, args...)
		}
	}
	check := func(what string, s Span) {
		if s.Start < 0 || s.Start > s.End || s.End > len(text) {
			bad("the span %v of %s is not in the text of %d bytes", s, what, len(text))
		}
	}
	c := d.Complete(offset)
	check("a completion", c.Replace)
	if c.Replace.Start > offset || c.Replace.End < offset {
		bad("the completion replaces %v", c.Replace)
	}
	for _, it := range c.Items {
		if it.Label == "" || it.Insert == "" || it.Cursor < 0 || it.Cursor > len(it.Insert) {
			bad("the item is %+v", it)
		}
	}
	if h, ok := d.Hover(offset); ok {
		check("a hover", h.Span)
		if h.Text == "" {
			bad("the hover is empty")
		}
	}
	for _, p := range append(d.Definition(offset), d.References(offset, true)...) {
		check("a reference", p.Span)
	}
	if at, err := d.CanRename(offset); err == nil {
		check("a name", at)
		edits, err := d.Rename(offset, "some-other.name7")
		if err != nil {
			edits, err = d.Rename(offset, "someOtherName7")
		}
		if err == nil {
			if _, err := apply(text, edits); err != nil {
				bad("%v", err)
			}
		}
	} else if err.Error() == "" {
		bad("there is no reason")
	}
	return problem
}

// askAll asks for what concerns the whole document.
func askAll(d *Document) (problem string) {
	text := d.Text()
	check := func(what string, s Span) {
		if problem == "" && (s.Start < 0 || s.Start > s.End || s.End > len(text)) {
			problem = fmt.Sprintf("the span %v of %s is not in the text of %d bytes", s, what, len(text))
		}
	}
	for _, p := range d.Problems() {
		check(p.Code, p.Span)
		if p.Span.Start == p.Span.End && text != "" {
			problem = p.Code + " has an empty span"
		}
		for _, r := range p.Related {
			check("a related place", r.Span)
		}
		for _, f := range p.Fixes {
			if _, err := apply(text, f.Edits); err != nil {
				problem = fmt.Sprintf("%s: %s: %v", p.Code, f.Title, err)
			}
		}
	}
	var visit func([]Symbol, Span)
	visit = func(all []Symbol, in Span) {
		for _, s := range all {
			check("a symbol", s.Span)
			if s.Name == "" || s.NameSpan.Start < s.Span.Start || s.NameSpan.End > s.Span.End || s.Span.Start < in.Start || s.Span.End > in.End {
				problem = fmt.Sprintf("the symbol is %+v in %v", s, in)
			}
			visit(s.Children, s.Span)
		}
	}
	visit(d.Symbols(), Span{End: len(text)})
	for _, f := range d.Folds() {
		check("a fold", f.Span)
	}
	for _, l := range d.Lenses() {
		check("a lens", l.Span)
	}
	return problem
}

// apply returns the text after some edits.
func apply(text string, edits []Edit) (string, error) {
	var out strings.Builder
	done := 0
	for _, e := range edits {
		if e.Span.Start < done || e.Span.End < e.Span.Start || e.Span.End > len(text) {
			return "", fmt.Errorf("the edits %v overlap or are out of order", edits)
		}
		out.WriteString(text[done:e.Span.Start] + e.Text)
		done = e.Span.End
	}
	return out.String() + text[done:], nil
}

// TestPrefixes cuts every chart in many places, and asks at the end of what is left.
func TestPrefixes(t *testing.T) {
	for _, s := range corpus(t) {
		step := 1 + len(s.text)/100
		for cut := 0; cut <= len(s.text); cut += step {
			d := s.analyse(s.text[:cut])
			if problem := ask(d, cut); problem != "" {
				t.Fatalf("%s cut at %d: %s", s.file, cut, problem)
			}
		}
	}
}

// TestDamage damages every chart, and asks everywhere.
func TestDamage(t *testing.T) {
	for i, s := range corpus(t) {
		random := rand.New(rand.NewPCG(uint64(i), 1))
		text := []byte(s.text)
		for range 1 + random.IntN(4) {
			if len(text) == 0 {
				break
			}
			switch at := random.IntN(len(text)); random.IntN(3) {
			case 0:
				text = append(text[:at:at], text[min(at+1+random.IntN(20), len(text)):]...)
			case 1:
				text[at] = "<>&\"'/= \n{"[random.IntN(10)]
			case 2:
				from := random.IntN(len(text))
				text = append(text[:at:at], append([]byte(s.text[:min(20, len(s.text))]), text[from:]...)...)
			}
		}
		broken := strings.ToValidUTF8(string(text), "?")
		d := s.analyse(broken)
		if problem := askAll(d); problem != "" {
			t.Fatalf("%s damaged: %s\n%s", s.file, problem, broken)
		}
		for range 20 {
			if problem := ask(d, random.IntN(len(broken)+1)); problem != "" {
				t.Fatalf("%s damaged: %s\n%s", s.file, problem, broken)
			}
		}
	}
}

// TestConcurrentQuestions asks several versions of a document from several goroutines at once.
func TestConcurrentQuestions(t *testing.T) {
	text := largeChart(100)
	d := Analyse("t.scxml", text, Options{})
	var all sync.WaitGroup
	for i := range 4 {
		all.Go(func() {
			d := d
			for j := range 3 {
				if problem := askAll(d) + ask(d, len(text)/(i+2)); problem != "" {
					t.Error(problem)
				}
				d = d.Change(text[:len(text)-j*100])
			}
		})
	}
	all.Wait()
}

// TestHostileTexts reads large texts that a scanner could take quadratic time for.
func TestHostileTexts(t *testing.T) {
	for name, text := range map[string]string{
		"open comments":   strings.Repeat("<!--\n", 50_000),
		"open CDATA":      strings.Repeat("<![CDATA[\n", 25_000),
		"open quotes":     strings.Repeat("<a b=\"\n<a b='\n", 15_000),
		"many roots":      strings.Repeat(`<a b="c"/>`, 50_000),
		"open tags":       strings.Repeat("<state>", 40_000),
		"stray end tags":  strings.Repeat("<a>", 1000) + strings.Repeat("</b>", 25_000),
		"brackets":        strings.Repeat("<", 250_000),
		"attributes":      "<state " + strings.Repeat("id=\"a\" ", 25_000),
		"prefixes":        "<a " + strings.Repeat(`xmlns:b="c" `, 20_000) + ">" + strings.Repeat("<z:a/>", 20_000),
		"names of states": "<scxml><state id='a'><transition target='" + strings.Repeat("a ", 75_000) + "'/>",
		"one expression":  "<scxml><state><log expr='" + strings.Repeat("`${", 50_000) + "'/>",
		"entities":        "<scxml><state><log expr='" + strings.Repeat("&amp;", 50_000) + "'/>",
	} {
		d := Analyse("t.scxml", text, Options{})
		for _, offset := range []int{len(text) / 2, len(text)} {
			if problem := ask(d, offset); problem != "" {
				t.Errorf("%s: %s", name, problem)
			}
		}
		if problem := askAll(d); problem != "" {
			t.Errorf("%s: %s", name, problem)
		}
	}
}

// FuzzDocument asks everything of any text.
func FuzzDocument(f *testing.F) {
	for _, text := range []string{
		"", "<", "</", "<scxml", `<scxml><state id="a"><transition cond="In('`, `<a b="<c d='&lt;`, "<!--", "<![CDATA[x", "<script>`${a", `<x:scxml xmlns:x="y"/>`,
		`<scxml initial="a b"><data id="x">&#x20;</data><log expr="x &lt; '&amp;"/></state>`,
	} {
		f.Add(text, 3)
	}
	f.Fuzz(func(t *testing.T, text string, at int) {
		if len(text) > 1<<16 {
			return
		}
		d := Analyse("f.scxml", text, Options{})
		if problem := askAll(d) + ask(d, int(uint(at)%uint(len(text)+1))); problem != "" {
			t.Error(problem)
		}
	})
}
