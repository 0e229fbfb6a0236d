package conformance

import "slices"

// An alteration says what was changed in documents of the W3C's suite, and why.
type alteration struct {
	tests     []string
	how, why  string
	otherwise string // what an engine has to do to pass without it
}

// alterations has, in our own words, what tests.json of the suite's folder
// says about the documents that were altered after their conversion.
var alterations = []alteration{
	{[]string{"201", "509", "510", "518", "519", "520", "522", "531", "532", "534", "567"},
		"the session finds its own location under the URI of the Basic HTTP Event I/O Processor in `_ioprocessors`, not under `basichttp`",
		"REC C.2.3 names the entry by the URI; the short name is an earlier draft's",
		"know the short name too"},
	{[]string{"569"},
		"the same for the SCXML Event I/O Processor, whose short name was `scxml`", "REC C.1.1", "know the short name too"},
	{[]string{"201"},
		"the event that guards against hanging got a delay of five seconds",
		"without one it was in the queue before the HTTP exchange could be over",
		"block in `<send>` until the exchange is over"},
	{[]string{"520", "532"},
		"the event may be called `POST` as well as `HTTP.POST`", "REC C.2.1 can be read either way", "call it `HTTP.POST`"},
	{[]string{"520"},
		"a third transition accepts the text of `<content>` as the body, as it stands",
		"REC C.2.2 has it so; of the two that were there one wanted it percent-encoded, and the other had an unescaped `+` in a regular expression and could never match",
		"encode the text of the body"},
	{[]string{"567"},
		"the variable that is looked at in the end begins with another value than the one that it has to get",
		"a failed assignment went unnoticed", "nothing"},
	{[]string{"198", "352"},
		"`_event.origintype` may be the short name `scxml` or the URI", "REC C.1 says the first, REC 5.10.1 the second", "use the URI"},
	{[]string{"216"},
		"the type of the `<invoke>` got its final slash", "REC 6.4 requires the URI with it", "accept the URI without it"},
	{[]string{"301"},
		"the script that cannot be loaded is a file that does not exist, and the data model is named",
		"the name was to be filled in by each site, and was no legal URI", "refuse the other name too"},
	{[]string{"307"},
		"`expr=\"\"` was removed from two `<log>`",
		"it is no expression, and raised an error of which the test knew nothing", "take it as if it were not there"},
	{[]string{"436"},
		"`In(id)` is written without quotes, and two `<log>` have no expression",
		"REC B.1: the null data model has nothing else", "allow quotes there"},
	{[]string{"452"},
		"a semicolon after an expression was removed", "with it, it is a statement", "overlook it"},
	{[]string{"459"},
		"the last condition looks at the variable that keeps whether the order was right",
		"it looked at another one, and a wrong order went unnoticed", "nothing"},
	{[]string{"528"},
		"the data of the event may be the empty string as well as undefined",
		"REC 5.6.2 says the empty string", "leave it undefined, against the REC"},
}

// alterationsOf returns what is known about the alterations of tests, and for
// tests about which nothing is known what the suite says.
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
