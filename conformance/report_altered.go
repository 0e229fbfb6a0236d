package conformance

import "slices"

// An alteration says what was changed in documents of the W3C's suite, and why.
type alteration struct {
	tests     []string
	how, why  string
	otherwise string // what an engine must do to pass without it
}

// alterations has, in our own words, what the suite's tests.json says about the
// documents that were altered after their conversion.
var alterations = []alteration{
	{[]string{"201", "509", "510", "518", "519", "520", "522", "531", "532", "534", "567"},
		"the session finds its location in `_ioprocessors` under the URI of the Basic HTTP Event I/O Processor, not under `basichttp`",
		"REC C.2.3 names the entry by the URI; the short name is from an earlier draft",
		"add an entry with the short name"},
	{[]string{"569"},
		"the same for the SCXML Event I/O Processor, whose short name was `scxml`", "REC C.1.1", "add an entry with the short name"},
	{[]string{"201"},
		"the timeout event has a delay of five seconds",
		"without a delay it was in the queue before the HTTP exchange could end",
		"block in `<send>` until the exchange ends"},
	{[]string{"520", "532"},
		"the event may be named `POST` as well as `HTTP.POST`", "REC C.2.1 can be read either way", "name it `HTTP.POST`"},
	{[]string{"520"},
		"a third transition accepts the text of `<content>` as the body without changes",
		"REC C.2.2 requires this; of the other two transitions, one wanted the text percent-encoded, and the other never matched because of an unescaped `+` in a regular expression",
		"encode the text of the body"},
	{[]string{"567"},
		"the initial value of the checked variable differs from the expected one",
		"a failed assignment was not noticed", "nothing"},
	{[]string{"198", "352"},
		"`_event.origintype` may be the short name `scxml` or the URI", "REC C.1 says the first, REC 5.10.1 the second", "use the URI"},
	{[]string{"216"},
		"the type of the `<invoke>` ends with a slash", "REC 6.4 requires the URI with the slash", "accept the URI without it"},
	{[]string{"301"},
		"the script that cannot be loaded is a file that does not exist, and the data model is named",
		"the tester was expected to fill in the name, which was not a legal URI", "reject the other name too"},
	{[]string{"307"},
		"`expr=\"\"` was removed from two `<log>`",
		"it is not an expression, and it raised an error that the test did not expect", "ignore it"},
	{[]string{"436"},
		"`In(id)` is written without quotes, and two `<log>` do not have an expression",
		"REC B.1: the null data model does not allow anything else", "allow quotes"},
	{[]string{"452"},
		"a semicolon after an expression was removed", "the semicolon makes it a statement", "ignore it"},
	{[]string{"459"},
		"the last condition tests the variable that records whether the order was right",
		"it tested another variable, so that a wrong order was not noticed", "nothing"},
	{[]string{"528"},
		"the data of the event may be the empty string as well as undefined",
		"REC 5.6.2 requires the empty string", "leave it undefined, against the REC"},
}

// alterationsOf returns the alterations of tests. For a test that alterations
// does not list, it returns what the suite says.
func alterationsOf(tests []W3CTest) []alteration {
	var all []alteration
	known := make(map[string]bool)
	for _, a := range alterations {
		a.tests = slices.DeleteFunc(slices.Clone(a.tests), func(id string) bool {
			return !slices.ContainsFunc(tests, func(t W3CTest) bool { return t.ID == id && t.Unaltered != "" })
		})
		for _, id := range a.tests {
			known[id] = true
		}
		if len(a.tests) > 0 {
			all = append(all, a)
		}
	}
	for _, t := range tests {
		if t.Unaltered != "" && !known[t.ID] {
			all = append(all, alteration{tests: []string{t.ID}, how: t.Altered})
		}
	}
	return all
}
