package rest_test

import (
	"strings"
	"testing"

	"github.com/scxmlrun/scxmlrun/scxml/fleet/rest"
)

func TestParseTokens(t *testing.T) {
	tokens, err := rest.ParseTokens([]byte(`
# who may do what
reports  read       sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08
checkout read,send  uXk2QW8vXo7sKc5fMZsP
root     all        0123456789abcdef0123
`))
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, token := range tokens {
		got = append(got, token.Name+" "+token.Scopes.String())
	}
	const want = "reports read; checkout read,send; root read,send,operate,admin,metrics"
	if strings.Join(got, "; ") != want {
		t.Errorf("tokens %q, want %s", got, want)
	}
}

// Each line that cannot be used is refused by its number: a typing error must not take a right away, or
// give one.
func TestParseTokensRefuses(t *testing.T) {
	const good = "uXk2QW8vXo7sKc5fMZsP"
	for _, test := range []struct{ text, want string }{
		{"a read", "line 1 has 2 words: want a name, scopes and a token"},
		{"\na read " + good + " x", "line 2 has 4 words: want a name, scopes and a token"},
		{"a write " + good, `line 1: "write" is not a scope: want read, send, operate, admin, metrics or all`},
		{"a " + good + " read", "line 1: a word of 20 characters is not a scope: want read, send, operate, admin, metrics or all"}, // not the token
		{"a read, " + good, `line 1: "" is not a scope: want read, send, operate, admin, metrics or all`},
		{"a read short", `line 1: the token of "a" has 5 characters: want 20 or more, at random`},
		{"a read sha256:1234", `line 1: what follows "sha256:" is not a hash: want 64 hexadecimal digits`},
		{"a read " + good + "\na send " + good + "2", `line 2: "a" has the name or the token of an earlier line`},
		{"a read " + good + "\nb send " + good, `line 2: "b" has the name or the token of an earlier line`},
	} {
		if _, err := rest.ParseTokens([]byte(test.text)); err == nil || err.Error() != test.want {
			t.Errorf("%q: error %v\nwant %s", test.text, err, test.want)
		}
	}
}
