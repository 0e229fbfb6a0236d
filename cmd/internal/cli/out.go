package cli

import "github.com/scxmlrun/scxmlrun/cmd/internal/file"

// CheckOut returns an error of usage if the file that a flag names for output is one of others, which are
// read, or written besides. Empty names are of no file.
func CheckOut(flag, out string, others ...string) error {
	for _, other := range others {
		if out != "" && other != "" && file.Same(out, other) {
			return Usagef("%s %s: this file is used already; name another one", flag, out)
		}
	}
	return nil
}
