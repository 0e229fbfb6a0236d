package js

import (
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"
)

// longCapitals are the letters that become several when they are capital letters, each with these. It is made when it is
// needed: a program that does not call ToUpper does not have it.
var longCapitals struct {
	once sync.Once
	of   map[rune]string
}

func makeLongCapitals() {
	longCapitals.of = map[rune]string{}
	for word := range strings.FieldsSeq(longCapitalWords) {
		r, n := utf8.DecodeRuneInString(word)
		longCapitals.of[r] = word[n:]
	}
}

const longCapitalWords = "" +
	"\u00dfSS \u0149\u02bcN \u01f0J\u030c \u0390\u0399\u0308\u0301 \u03b0\u03a5\u0308\u0301 \u0587\u0535\u0552 " +
	"\u1e96H\u0331 \u1e97T\u0308 \u1e98W\u030a \u1e99Y\u030a \u1e9aA\u02be \u1f50\u03a5\u0313 " +
	"\u1f52\u03a5\u0313\u0300 \u1f54\u03a5\u0313\u0301 \u1f56\u03a5\u0313\u0342 \u1f80\u1f08\u0399 " +
	"\u1f81\u1f09\u0399 \u1f82\u1f0a\u0399 \u1f83\u1f0b\u0399 \u1f84\u1f0c\u0399 \u1f85\u1f0d\u0399 " +
	"\u1f86\u1f0e\u0399 \u1f87\u1f0f\u0399 \u1f88\u1f08\u0399 \u1f89\u1f09\u0399 \u1f8a\u1f0a\u0399 " +
	"\u1f8b\u1f0b\u0399 \u1f8c\u1f0c\u0399 \u1f8d\u1f0d\u0399 \u1f8e\u1f0e\u0399 \u1f8f\u1f0f\u0399 " +
	"\u1f90\u1f28\u0399 \u1f91\u1f29\u0399 \u1f92\u1f2a\u0399 \u1f93\u1f2b\u0399 \u1f94\u1f2c\u0399 " +
	"\u1f95\u1f2d\u0399 \u1f96\u1f2e\u0399 \u1f97\u1f2f\u0399 \u1f98\u1f28\u0399 \u1f99\u1f29\u0399 " +
	"\u1f9a\u1f2a\u0399 \u1f9b\u1f2b\u0399 \u1f9c\u1f2c\u0399 \u1f9d\u1f2d\u0399 \u1f9e\u1f2e\u0399 " +
	"\u1f9f\u1f2f\u0399 \u1fa0\u1f68\u0399 \u1fa1\u1f69\u0399 \u1fa2\u1f6a\u0399 \u1fa3\u1f6b\u0399 " +
	"\u1fa4\u1f6c\u0399 \u1fa5\u1f6d\u0399 \u1fa6\u1f6e\u0399 \u1fa7\u1f6f\u0399 \u1fa8\u1f68\u0399 " +
	"\u1fa9\u1f69\u0399 \u1faa\u1f6a\u0399 \u1fab\u1f6b\u0399 \u1fac\u1f6c\u0399 \u1fad\u1f6d\u0399 " +
	"\u1fae\u1f6e\u0399 \u1faf\u1f6f\u0399 \u1fb2\u1fba\u0399 \u1fb3\u0391\u0399 \u1fb4\u0386\u0399 " +
	"\u1fb6\u0391\u0342 \u1fb7\u0391\u0342\u0399 \u1fbc\u0391\u0399 \u1fc2\u1fca\u0399 \u1fc3\u0397\u0399 " +
	"\u1fc4\u0389\u0399 \u1fc6\u0397\u0342 \u1fc7\u0397\u0342\u0399 \u1fcc\u0397\u0399 \u1fd2\u0399\u0308\u0300 " +
	"\u1fd3\u0399\u0308\u0301 \u1fd6\u0399\u0342 \u1fd7\u0399\u0308\u0342 \u1fe2\u03a5\u0308\u0300 " +
	"\u1fe3\u03a5\u0308\u0301 \u1fe4\u03a1\u0313 \u1fe6\u03a5\u0342 \u1fe7\u03a5\u0308\u0342 \u1ff2\u1ffa\u0399 " +
	"\u1ff3\u03a9\u0399 \u1ff4\u038f\u0399 \u1ff6\u03a9\u0342 \u1ff7\u03a9\u0342\u0399 \u1ffc\u03a9\u0399 \ufb00FF " +
	"\ufb01FI \ufb02FL \ufb03FFI \ufb04FFL \ufb05ST \ufb06ST \ufb13\u0544\u0546 \ufb14\u0544\u0535 " +
	"\ufb15\u0544\u053b \ufb16\u054e\u0546 \ufb17\u0544\u053d "

// ToUpper is the function toUpperCase.
func ToUpper(s string) string {
	if isASCII(s) {
		return strings.ToUpper(s)
	}
	longCapitals.once.Do(makeLongCapitals)
	var b strings.Builder
	for _, r := range s {
		if long, ok := longCapitals.of[r]; ok {
			b.WriteString(long)
		} else {
			b.WriteRune(unicode.ToUpper(r))
		}
	}
	return b.String()
}

// ToLower is the function toLowerCase.
func ToLower(s string) string {
	if isASCII(s) {
		return strings.ToLower(s)
	}
	var b strings.Builder
	for i, r := range s {
		switch {
		case r == 'İ':
			b.WriteString("i\u0307")
		case r == 'Σ' && endsWord(s[:i], s[i+len("Σ"):]):
			b.WriteRune('ς')
		default:
			b.WriteRune(unicode.ToLower(r))
		}
	}
	return b.String()
}

// endsWord reports whether a letter between before and after is the last one of a word, as Unicode defines it for sigma.
func endsWord(before, after string) bool {
	last, _ := utf8.DecodeLastRuneInString(strings.TrimRightFunc(before, ignoresCase))
	next, _ := utf8.DecodeRuneInString(strings.TrimLeftFunc(after, ignoresCase))
	return hasCase(last) && !hasCase(next)
}

func hasCase(r rune) bool {
	return unicode.In(r, unicode.Lu, unicode.Ll, unicode.Lt, unicode.Other_Lowercase, unicode.Other_Uppercase)
}

func ignoresCase(r rune) bool {
	return unicode.In(r, unicode.Mn, unicode.Me, unicode.Cf, unicode.Lm, unicode.Sk) ||
		strings.ContainsRune("'.:\u00b7\u0387\u055f\u05f4\u2018\u2019\u2024\u2027\ufe13\ufe52\ufe55\uff07\uff0e\uff1a", r)
}

// signs are the characters of ASCII that sort before letters, in the order of the Unicode Collation Algorithm. Those that
// are missing do not count.
const signs = "\t\n\v\f\r _-,;:!?.'\"()[]{}@*/\\&#%`^+<=>|~$0123456789"

// compareLocale is the function localeCompare for texts of ASCII; of others the result depends on tables that this package
// does not have.
func compareLocale(a, b string) float64 {
	if !isASCII(a) || !isASCII(b) {
		throwText("TypeError: localeCompare of texts beyond ASCII is not compiled")
	}
	cases := 0.0 // how the first letters compare that differ in case alone
	for {
		x, y := nextSign(&a), nextSign(&b)
		switch {
		case x>>1 < y>>1:
			return -1
		case x>>1 > y>>1:
			return 1
		case x == 0:
			return cases
		case cases == 0:
			cases = float64(x - y)
		}
	}
}

// nextSign takes the next character that counts from s, and returns twice its place among others, plus 1 for a capital
// letter; 0 at the end.
func nextSign(s *string) int {
	for *s != "" {
		c := (*s)[0]
		*s = (*s)[1:]
		switch {
		case c >= 'a' && c <= 'z':
			return 2 * int(c)
		case c >= 'A' && c <= 'Z':
			return 2*int(c|' ') + 1
		}
		if i := strings.IndexByte(signs, c); i >= 0 {
			return 2 * (i + 1)
		}
	}
	return 0
}
