package main

import (
	"bytes"
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"testing"
)

var updatePictures = flag.Bool("pictures.update", false, "draw the pictures of the README anew; look at them before you commit")

// The pictures of charts in the README are what draw makes of them.
func TestPicturesOfTheREADME(t *testing.T) {
	const root = "../.."
	readme, err := os.ReadFile(filepath.Join(root, "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	turnstile := regexp.MustCompile("(?s)\n```xml turnstile.scxml\n(.*?)```\n").FindSubmatch(readme)
	crossing, err := os.ReadFile(filepath.Join(root, "examples/trafficlight/trafficlight.scxml"))
	if err != nil || turnstile == nil {
		t.Fatalf("the charts are not there: %v", err)
	}
	for picture, chart := range map[string][]byte{
		"cmd/scxmlrun/testdata/turnstile.svg":    turnstile[1],
		"examples/trafficlight/trafficlight.svg": crossing,
	} {
		draw := exec.Command(binary, "draw", "-")
		draw.Stdin = bytes.NewReader(chart)
		got, err := draw.Output()
		if err != nil {
			t.Fatal(err)
		}
		file := filepath.Join(root, picture)
		if *updatePictures {
			if err := os.WriteFile(file, got, 0o666); err != nil {
				t.Fatal(err)
			}
		}
		if want, err := os.ReadFile(file); err != nil || !bytes.Equal(got, want) {
			t.Errorf("%s is not what draw makes of its chart (%v); run go test ./cmd/scxmlrun -run Pictures -pictures.update", picture, err)
		}
	}
}
