package conformance

import (
	"bufio"
	_ "embed"
	"errors"
	"fmt"
	"io"
	"strings"
)

// A Ledger maps tests that do not pass to the reasons.
type Ledger map[string]string

//go:embed w3c_ledger.txt
var w3cLedger string

// W3CLedger returns the tests of the W3C's suite that this engine does not pass.
// The keys are a form and the id of a test, for example "unaltered 528".
func W3CLedger() Ledger {
	ledger, err := ReadW3CLedger(strings.NewReader(w3cLedger))
	if err != nil {
		panic(err) // a test reads the embedded file
	}
	return ledger
}

// ReadW3CLedger reads a ledger with lines of the form
//
//	FORM ID…: reason
//
// Blank lines and lines that begin with # are skipped. The error names the line
// that is malformed or repeats a test.
func ReadW3CLedger(r io.Reader) (Ledger, error) {
	return readLedger(r, func(tests string) ([]string, error) {
		words := strings.Fields(tests)
		if len(words) < 2 {
			return nil, errors.New(`want "FORM ID…: reason"`)
		}
		if form := Form(words[0]); form != Converted && form != Unaltered {
			return nil, fmt.Errorf("%q is not a form: want %q or %q", form, Converted, Unaltered)
		}
		var keys []string
		for _, id := range words[1:] {
			keys = append(keys, words[0]+" "+id)
		}
		return keys, nil
	})
}

// ReadLedger reads a ledger with lines of the form
//
//	NAME: reason
//
// Blank lines and lines that begin with # are skipped. The error names the line
// that is malformed or repeats a test.
func ReadLedger(r io.Reader) (Ledger, error) {
	return readLedger(r, func(name string) ([]string, error) { return []string{name}, nil })
}

func readLedger(r io.Reader, keys func(string) ([]string, error)) (Ledger, error) {
	ledger := make(Ledger)
	lines := bufio.NewScanner(r)
	for n := 1; lines.Scan(); n++ {
		line := strings.TrimSpace(lines.Text())
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		tests, why, ok := strings.Cut(line, ":")
		tests, why = strings.TrimSpace(tests), strings.TrimSpace(why)
		if !ok || tests == "" || why == "" {
			return nil, fmt.Errorf("ledger line %d: want a test, a colon and a reason", n)
		}
		names, err := keys(tests)
		if err != nil {
			return nil, fmt.Errorf("ledger line %d: %w", n, err)
		}
		for _, name := range names {
			if _, twice := ledger[name]; twice {
				return nil, fmt.Errorf("ledger line %d: %s is listed twice", n, name)
			}
			ledger[name] = why
		}
	}
	return ledger, lines.Err()
}
