package conformance

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
)

// A W3CCase is a test in one form.
type W3CCase struct {
	Test W3CTest
	Form Form
}

// key is the name of the case in a ledger.
func (c W3CCase) key() string { return string(c.Form) + " " + c.Test.ID }

// Cases returns what there is to run: of the tests that selectors name, or of
// all if there are none, in the given forms. With several forms a document that
// is the same in both is run once, in the first.
//
// A selector is the id of a test or of an assertion ("403a", "403"), or a range
// of them ("150-160"). Manual tests are among the cases if manual is set, or if
// they are named by themselves.
func (suite *W3CSuite) Cases(selectors []string, forms []Form, manual bool) ([]W3CCase, error) {
	if suite.Abstract && slices.Contains(forms, Converted) {
		return nil, fmt.Errorf("in the W3C's own layout there are no corrected documents, so there is no form %q", Converted)
	}
	chosen := make(map[string]bool)
	for _, t := range suite.Tests {
		chosen[t.ID] = len(selectors) == 0 && (manual || !t.Manual)
	}
	for _, selector := range selectors {
		from, to, isRange := strings.Cut(selector, "-")
		if _, _, ok := splitID(from); !ok || isRange && !isID(to) {
			return nil, fmt.Errorf("%q is neither the id of a test, such as 403a, nor a range of them, such as 150-160", selector)
		}
		found := false
		for _, t := range suite.Tests {
			switch {
			case !isRange && (t.ID == from || t.Assert == from):
				chosen[t.ID], found = true, true
			case isRange && within(t.ID, from, to):
				found = true
				chosen[t.ID] = chosen[t.ID] || manual || !t.Manual
			}
		}
		if !found {
			return nil, fmt.Errorf("the suite has no test %s", selector)
		}
	}
	var cases []W3CCase
	for _, t := range suite.Tests {
		if !chosen[t.ID] {
			continue
		}
		for i, form := range forms {
			if i == 0 || t.Document(form) != t.Document(forms[0]) {
				cases = append(cases, W3CCase{t, form})
			}
		}
	}
	return cases, nil
}

// splitID divides "403a" into 403 and "a".
func splitID(id string) (number int, letter string, ok bool) {
	digits := strings.TrimRight(id, "abcdefghijklmnopqrstuvwxyz")
	number, err := strconv.Atoi(digits)
	return number, id[len(digits):], err == nil && number >= 0
}

func isID(id string) bool {
	_, _, ok := splitID(id)
	return ok
}

// compareIDs orders the ids of tests by number, then by letter.
func compareIDs(a, b string) int {
	an, al, _ := splitID(a)
	bn, bl, _ := splitID(b)
	return cmp.Or(cmp.Compare(an, bn), cmp.Compare(al, bl))
}

// within reports whether id lies in a range; 403 as its end includes 403a to 403c.
func within(id, from, to string) bool {
	n, _, _ := splitID(id)
	last, letter, _ := splitID(to)
	return compareIDs(id, from) >= 0 && (compareIDs(id, to) <= 0 || letter == "" && n == last)
}

// A Verdict says how the outcome of a test compares with the ledger.
type Verdict string

const (
	Pass           Verdict = "pass"
	Fail           Verdict = "fail"
	KnownFail      Verdict = "known-fail"      // the ledger says why it does not pass
	UnexpectedPass Verdict = "unexpected-pass" // the ledger says that it does not pass
)

// Bad reports whether the verdict makes a run fail.
func (v Verdict) Bad() bool { return v == Fail || v == UnexpectedPass }

func verdict(passed, listed bool) Verdict {
	switch {
	case passed && listed:
		return UnexpectedPass
	case passed:
		return Pass
	case listed:
		return KnownFail
	}
	return Fail
}

// A W3COutcome is what came of a case.
type W3COutcome struct {
	W3CCase
	Result
	Verdict Verdict
	Why     string // what the ledger says about it
	Took    time.Duration
}

// W3COptions say how [W3CSuite.RunAll] runs cases.
type W3COptions struct {
	Clock  Clock  // "" is the virtual one
	Jobs   int    // how many run at the same time; 0 is 1
	Repeat int    // how often each is run until it fails; 0 is 1
	Ledger Ledger // what does not pass, and why

	// Progress, if not nil, is told each outcome as it comes; not by several
	// goroutines at the same time.
	Progress func(W3COutcome)
}

// RunAll runs cases and returns their outcomes in the same order. When ctx is
// done it returns its cause, and the outcomes so far.
func (suite *W3CSuite) RunAll(ctx context.Context, cases []W3CCase, opts W3COptions) ([]W3COutcome, error) {
	outcomes := make([]W3COutcome, len(cases))
	next := make(chan int)
	var workers sync.WaitGroup
	var progress sync.Mutex
	for range max(1, min(opts.Jobs, len(cases))) {
		workers.Go(func() {
			for i := range next {
				outcome := suite.runCase(ctx, cases[i], opts)
				if ctx.Err() != nil {
					continue // it may have been broken off
				}
				progress.Lock()
				outcomes[i] = outcome
				if opts.Progress != nil {
					opts.Progress(outcome)
				}
				progress.Unlock()
			}
		})
	}
	for i := range cases {
		next <- i
	}
	close(next)
	workers.Wait()
	if ctx.Err() != nil {
		return slices.DeleteFunc(outcomes, func(o W3COutcome) bool { return o.Verdict == "" }), context.Cause(ctx)
	}
	return outcomes, nil
}

func (suite *W3CSuite) runCase(ctx context.Context, c W3CCase, opts W3COptions) W3COutcome {
	outcome := W3COutcome{W3CCase: c}
	began := time.Now()
	repeat := max(1, opts.Repeat)
	for n := 1; n <= repeat && ctx.Err() == nil; n++ {
		outcome.Result = suite.Run(ctx, c.Test, c.Form, opts.Clock)
		if !outcome.Passed {
			if n > 1 {
				outcome.Reason = fmt.Sprintf("run %d of %d: %s", n, repeat, outcome.Reason)
			}
			break
		}
	}
	outcome.Took = time.Since(began)
	why, listed := opts.Ledger[c.key()]
	outcome.Why, outcome.Verdict = why, verdict(outcome.Passed, listed)
	return outcome
}

// Stale returns the keys of a ledger that name no test of the suite, in order.
func (suite *W3CSuite) Stale(ledger Ledger) []string {
	keys := make(map[string]bool)
	for _, t := range suite.Tests {
		for _, form := range []Form{Converted, Unaltered} {
			if form == Converted && suite.Abstract || form == Unaltered && !suite.Abstract && t.Unaltered == "" {
				continue
			}
			keys[W3CCase{t, form}.key()] = true
		}
	}
	var stale []string
	for key := range ledger {
		if !keys[key] {
			stale = append(stale, key)
		}
	}
	slices.Sort(stale)
	return stale
}
