package conformance

import (
	"cmp"
	"context"
	"fmt"
	"maps"
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

// Cases returns the tests that selectors name, or all tests if there are no
// selectors, in the given forms. A document that is the same in several forms
// is returned once, in the first.
//
// A selector is the id of a test or of an assertion ("403a", "403"), or a range
// of them ("150-160"). Manual tests are included if manual is set or if a
// selector other than a range names them. It is an error if a selector is
// neither, if it names no test, and if the suite does not have a form.
func (suite *W3CSuite) Cases(selectors []string, forms []Form, manual bool) ([]W3CCase, error) {
	if suite.Abstract && slices.Contains(forms, Converted) {
		return nil, fmt.Errorf("cannot run the form %q: the W3C's own layout does not have it; use %q", Converted, Unaltered)
	}
	chosen := make(map[string]bool)
	for _, t := range suite.Tests {
		chosen[t.ID] = len(selectors) == 0 && (manual || !t.Manual)
	}
	for _, selector := range selectors {
		from, to, isRange := strings.Cut(selector, "-")
		if _, _, ok := splitID(from); !ok || isRange && !isID(to) {
			return nil, fmt.Errorf("%q is not a test: want an id such as 403a, or a range such as 150-160", selector)
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
			return nil, fmt.Errorf("the suite does not have a test %s", selector)
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

// splitID splits "403a" into 403 and "a".
func splitID(id string) (number int, letter string, ok bool) {
	digits := strings.TrimRight(id, "abcdefghijklmnopqrstuvwxyz")
	number, err := strconv.Atoi(digits)
	return number, id[len(digits):], err == nil && number >= 0
}

func isID(id string) bool {
	_, _, ok := splitID(id)
	return ok
}

// compareIDs compares the ids of tests by number, then by letter.
func compareIDs(a, b string) int {
	an, al, _ := splitID(a)
	bn, bl, _ := splitID(b)
	return cmp.Or(cmp.Compare(an, bn), cmp.Compare(al, bl))
}

// within reports whether id is in a range. The end 403 includes 403a to 403c.
func within(id, from, to string) bool {
	n, _, _ := splitID(id)
	last, letter, _ := splitID(to)
	return compareIDs(id, from) >= 0 && (compareIDs(id, to) <= 0 || letter == "" && n == last)
}

// A Verdict compares the result of a test with the ledger.
type Verdict string

const (
	Pass           Verdict = "pass"
	Fail           Verdict = "fail"
	KnownFail      Verdict = "known-fail"      // the ledger lists the failure
	UnexpectedPass Verdict = "unexpected-pass" // the test passes although the ledger lists it
)

// Bad reports whether the verdict makes a run fail: Fail or UnexpectedPass.
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

// A W3COutcome is the outcome of a case.
type W3COutcome struct {
	W3CCase
	Result
	Verdict Verdict
	Why     string // the ledger's reason
	Took    time.Duration
}

// W3COptions are the options of [W3CSuite.RunAll].
type W3COptions struct {
	Clock  Clock  // "" is [VirtualClock]
	Jobs   int    // how many cases run at the same time; 0 is 1
	Repeat int    // how often each case runs, unless it fails; 0 is 1
	Ledger Ledger // the tests that are known to fail

	// Progress, if not nil, is called with each outcome as soon as it is known.
	// Calls do not overlap.
	Progress func(W3COutcome)
}

// RunAll runs cases and returns their outcomes in the same order. If ctx is
// done, it returns the cause and the outcomes so far.
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
					continue // the case may have been interrupted
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

// Stale returns the keys of a ledger that do not name a test of the suite, sorted.
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
	stale := maps.Clone(ledger)
	maps.DeleteFunc(stale, func(key, _ string) bool { return keys[key] })
	return slices.Sorted(maps.Keys(stale))
}
