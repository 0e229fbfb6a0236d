package human

import (
	"bufio"
	"os"
	"slices"
	"strings"
	"testing"
)

// libraryTechniques are HoDoKu's numbers of the techniques.
var libraryTechniques = map[string][]Technique{
	"0000": {FullHouse}, "0002": {HiddenSingle}, "0003": {NakedSingle},
	"0100": {Pointing}, "0101": {Claiming}, "0110": {LockedPair}, "0111": {LockedTriple},
	"0200": {NakedPair}, "0201": {NakedTriple}, "0202": {NakedQuad}, "0210": {HiddenPair}, "0211": {HiddenTriple}, "0212": {HiddenQuad},
	"0300": {XWing}, "0301": {Swordfish}, "0302": {Jellyfish}, "0310": {FinnedXWing}, "0311": {FinnedSwordfish}, "0312": {FinnedJellyfish},
	"0320": {SashimiXWing}, "0321": {SashimiSwordfish}, "0322": {SashimiJellyfish},
	"0303": {Squirmbag}, "0304": {Whale}, "0305": {Leviathan}, "0313": {FinnedSquirmbag}, "0314": {FinnedWhale}, "0315": {FinnedLeviathan},
	"0323": {SashimiSquirmbag}, "0324": {SashimiWhale}, "0325": {SashimiLeviathan},
	"0400": {Skyscraper}, "0401": {TwoStringKite}, "0402": {EmptyRectangle}, "0403": {TurbotFish},
	"0600": {UniqueRectangle1}, "0601": {UniqueRectangle2}, "0602": {UniqueRectangle3}, "0603": {UniqueRectangle4}, "0604": {UniqueRectangle5},
	"0605": {UniqueRectangle6}, "0606": {HiddenRectangle}, "0607": {AvoidableRectangle1}, "0608": {AvoidableRectangle2}, "0610": {BUG1},
	"0500": {SimpleColors}, "0501": {SimpleColors}, "0502": {MultiColors}, "0503": {MultiColors},
	"0901": {ALSXZ}, "0902": {ALSXYWing}, "0904": {DeathBlossom}, "1101": {SueDeCoq},
	"0701": {XChain}, "0702": {XYChain}, "0703": {RemotePair}, "0706": {NiceLoop}, "0707": {DiscontinuousNiceLoop}, "0708": {AIC},
	"0709": {GroupedNiceLoop}, "0710": {GroupedDiscontinuousNiceLoop}, "0711": {GroupedAIC},
	"0800": {XYWing}, "0801": {XYZWing}, "0803": {WWing},
}

// TestLibrary runs a list of HoDoKu's library, one technique a line, if there is one.
func TestLibrary(t *testing.T) {
	name := os.Getenv("SUDOKU_LIBRARY")
	if name == "" {
		t.Skip("SUDOKU_LIBRARY does not name a list")
	}
	file, err := os.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	lines, right := 0, 0
	for scanner := bufio.NewScanner(file); scanner.Scan(); {
		text := scanner.Text()
		if text == "" || text[0] == '#' {
			continue
		}
		line, err := ParseLibraryLine(text)
		if err != nil {
			t.Errorf("%v", err)
			continue
		}
		number, variant, _ := strings.Cut(line.Technique, "-")
		order, ok := libraryTechniques[number]
		if !ok {
			continue
		}
		lines++
		found := false
		steps := new(Finder).Find(line.Position, 0, order...)
		for _, s := range steps {
			found = found || sameCandidates(s.Place, line.Place) && sameCandidates(s.Eliminate, line.Eliminate)
		}
		if found == (variant != "x") {
			right++
			continue
		}
		t.Logf("%s: want %v %v", text, line.Place, line.Eliminate)
		for _, s := range steps[:min(len(steps), 5)] {
			t.Logf("\tgot %v", &s)
		}
	}
	t.Logf("%d of %d lines", right, lines)
	if right*100 < lines*95 {
		t.Errorf("%d of %d lines find what the list names: want 95 %%", right, lines)
	}
}

// sameCandidates compares candidates in any order.
func sameCandidates(a, b []Candidate) bool {
	if len(a) != len(b) {
		return false
	}
	for _, c := range a {
		if !slices.Contains(b, c) {
			return false
		}
	}
	return true
}
