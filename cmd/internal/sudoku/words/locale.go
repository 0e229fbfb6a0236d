package words

import (
	"cmp"
	"os"
	"slices"
)

// system returns the language of the system, or "en" if there are no words for it. The
// variables of POSIX come first, on every system.
func system() string {
	locale := cmp.Or(os.Getenv("LC_ALL"), os.Getenv("LC_MESSAGES"), os.Getenv("LANG"))
	if locale == "" {
		locale = settings()
	}
	if lang := base(locale); slices.Contains(Languages(), lang) {
		return lang
	}
	return "en"
}
