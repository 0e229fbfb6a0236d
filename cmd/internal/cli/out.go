package cli

import "github.com/scxmlrun/scxmlrun/cmd/internal/file"

// CheckOut returns an error of usage if the file that a flag names for output is one of others, which are
// read, or written besides. Empty names and "-" are of no file.
func CheckOut(flag, out string, others ...string) error {
	if out == "" || out == "-" {
		return nil
	}
	for _, other := range others {
		if other != "" && other != "-" && file.Same(out, other) {
			return Usagef("%s %s: this file is used already; name another one", flag, out)
		}
	}
	return nil
}
