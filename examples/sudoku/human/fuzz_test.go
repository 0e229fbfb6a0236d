package human

import "testing"

// FuzzParseLibraryLine reads whatever comes, and writes and reads again what can be read.
func FuzzParseLibraryLine(f *testing.F) {
	f.Add(":0300:5:..4.+8...69..7+6.8.+4.86..4.5+2..9.+23.7+8...8..2..2.8..6.4..1...8.....5.....9.+9.2.....:777 787 797:914:816:")
	f.Add(":::.................................................................................::::")
	f.Fuzz(func(t *testing.T, text string) {
		line, err := ParseLibraryLine(text)
		if err != nil {
			return
		}
		again, err := ParseLibraryLine(line.Position.LibraryLine())
		if err != nil || *again.Position != *line.Position {
			t.Errorf("%q is written as %q, which is read as %v, %v", text, line.Position.LibraryLine(), again.Position, err)
		}
	})
}
