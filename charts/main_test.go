package charts_test

import (
	"os"
	"testing"

	"github.com/scxmlrun/scxmlrun/scxml/scxmltest"
)

// go test . -scxmltest.covermin=100 says what the tests do not reach.
func TestMain(m *testing.M) { os.Exit(scxmltest.Cover(m)) }
