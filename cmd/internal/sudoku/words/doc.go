// Package words has the languages of the Sudoku: English and Dutch.
//
//	w, err := words.New("nl")     // or "", for the language of the system
//	w.T("%d cells are empty.", 3)   // 3 cellen zijn leeg.
//	w.Message(view.Message)         // what package game says in codes, in words
//
// The key of a text is the English text. The catalogues of a language are JSON files in a
// folder with its name. They map keys to translations:
//
//	"Notes": "Notities",
//	"%d of %d": "%[1]d van %[2]d",
//	"%d cells are empty.": {"one": "1 cel is leeg.", "other": "%d cellen zijn leeg."}
//
// The first %d of the key decides between "one" and "other"; "=0" and other numbers are
// possible, too. English needs a catalogue only for texts with a plural. A test looks for
// the keys in the packages that use this one, and demands their translations.
//
// To add a language, write its catalogues, and add it to [Languages] and to the embedded
// files.
package words
