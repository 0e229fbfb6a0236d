package guides_test

import (
	"bufio"
	"fmt"
	"log"

	"github.com/scxmlrun/scxmlrun/scxml/guides"
)

func Example() {
	file, err := guides.FS.Open("README.md") // which lists the others
	if err != nil {
		log.Fatal(err)
	}
	defer file.Close()
	lines := bufio.NewScanner(file)
	lines.Scan()
	fmt.Println(lines.Text())
	// Output:
	// # Guides
}
