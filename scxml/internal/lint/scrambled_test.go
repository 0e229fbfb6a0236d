package lint

import (
	"bytes"
	"encoding/xml"
	"errors"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"github.com/scxmlrun/scxmlrun/datamodel"
	"github.com/scxmlrun/scxmlrun/scxml/internal/doc"
)

// TestScrambled lints documents in which elements and attributes have changed
// their names at random, so that most of them are where they are not allowed.
func TestScrambled(t *testing.T) {
	var sources [][]byte
	for _, pattern := range []string{"../../testdata/diagnostics/*.scxml", "../doc/testdata/*.scxml", "../doc/testdata/diagnostics/*.scxml"} {
		files, err := filepath.Glob(pattern)
		if err != nil || len(files) == 0 {
			t.Fatalf("no documents %s: %v", pattern, err)
		}
		for _, file := range files {
			source, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			sources = append(sources, source)
		}
	}
	found := 0
	for seed := range uint64(5000) {
		rng := rand.New(rand.NewPCG(seed, 5))
		source := scramble(rng, sources[rng.IntN(len(sources))])
		d, problems := doc.Parse("f", source, doc.Options{})
		if d == nil {
			continue
		}
		func() {
			defer func() {
				if p := recover(); p != nil {
					t.Fatalf("seed %d: %v\n%s", seed, p, source)
				}
			}()
			found += len(problems) + len(Document(d, Options{Language: func(string) datamodel.Language { return nil }}))
		}()
	}
	if found < 50_000 {
		t.Errorf("%d problems in all: too few", found)
	}
}

var (
	someElements = []string{
		"state", "parallel", "final", "history", "initial", "transition", "onentry", "onexit", "datamodel", "data", "donedata", "param", "content",
		"raise", "send", "if", "else", "elseif", "foreach", "log", "script", "assign", "cancel", "invoke", "finalize", "scxml", "event", "exit", "xyz",
	}
	someAttributes = []string{"id", "target", "event", "initial", "cond", "name", "type", "expr", "next"}
)

// scramble changes a fifth of the names, those of the root left alone.
func scramble(rng *rand.Rand, source []byte) []byte {
	var out bytes.Buffer
	in, to := xml.NewDecoder(bytes.NewReader(source)), xml.NewEncoder(&out)
	in.Strict = false
	var open []xml.Name
	for {
		token, err := in.Token()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return source
		}
		switch e := token.(type) {
		case xml.StartElement:
			if len(open) > 0 && rng.IntN(5) == 0 {
				e.Name.Local = someElements[rng.IntN(len(someElements))]
			}
			for i := range e.Attr {
				if len(open) > 0 && e.Attr[i].Name.Space == "" && rng.IntN(5) == 0 {
					e.Attr[i].Name.Local = someAttributes[rng.IntN(len(someAttributes))]
				}
			}
			open = append(open, e.Name)
			token = e
		case xml.EndElement:
			e.Name = open[len(open)-1]
			open = open[:len(open)-1]
			token = e
		case xml.Comment, xml.ProcInst, xml.Directive:
			continue
		}
		if to.EncodeToken(token) != nil {
			return source
		}
	}
	if to.Flush() != nil {
		return source
	}
	return out.Bytes()
}
