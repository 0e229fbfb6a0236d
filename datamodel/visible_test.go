package datamodel_test

import (
	"testing"
	"unicode"

	"github.com/scxmlrun/scxmlrun/datamodel"
)

func TestVisible(t *testing.T) {
	for text, want := range map[string]string{
		"plain, é":                         "plain, é",
		"a\u202eb\u200f\u2066":             `a\u202eb\u200f\u2066`,
		"\x1b[2J\n\t\u009b\xff":            `\x1b[2J\n\t\x9b\xff`,
		"soft\u00adhyphen\u200b\ufeff":     `soft\xadhyphen\u200b\ufeff`,
		"a\U000e0041\u3164":                `a\U000e0041\u3164`,
		"שלום مرحبا":                       "שלום مرحبا",
		"می\u200cخواهم क्\u200dष":          "می\u200cخواهم क्\u200dष",
		"👩\u200d💻 ❤\ufe0f\u200d🔥 1\ufe0f⃣": "👩\u200d💻 ❤\ufe0f\u200d🔥 1\ufe0f⃣",
		"ad\u200dmin \u200c a\ufe0f":       `ad\u200dmin \u200c a\ufe0f`,
		"👩\u200d 👩\u200d\u200d👩":           `👩\u200d 👩\u200d\u200d👩`,
	} {
		if got := datamodel.Visible(text, nil); got != want {
			t.Errorf("%+q: got %+q, want %+q", text, got, want)
		}
	}
	if got := datamodel.Visible("a\u202eb\xff", func(r rune, raw string) string { return "?" }); got != "a?b?" {
		t.Errorf("got %q", got)
	}
}

// All format characters of Unicode are escaped, but those that can be seen: the signs before Arabic,
// Syriac and Kaithi numbers, and what arranges hieroglyphs.
func TestVisibleHasAllFormatCharacters(t *testing.T) {
	seen := &unicode.RangeTable{R16: []unicode.Range16{{0x600, 0x605, 1}, {0x6DD, 0x6DD, 1}, {0x70F, 0x70F, 1}, {0x890, 0x891, 1}, {0x8E2, 0x8E2, 1}},
		R32: []unicode.Range32{{0x110BD, 0x110BD, 1}, {0x110CD, 0x110CD, 1}, {0x13430, 0x1345F, 1}}}
	for r := rune(0); r <= unicode.MaxRune; r++ {
		bad := unicode.In(r, unicode.Cf, unicode.Cc, unicode.Zl, unicode.Zp, unicode.Other_Default_Ignorable_Code_Point, unicode.Variation_Selector) && !unicode.Is(seen, r)
		if text := "a" + string(r) + "b"; bad && datamodel.Visible(text, nil) == text {
			t.Errorf("%U is not escaped", r)
		}
		if text := "א" + string(r) + "ב"; !bad && (r < 0xD800 || r > 0xDFFF) && datamodel.Visible(text, nil) != text {
			t.Errorf("%U is escaped", r)
		}
	}
}
