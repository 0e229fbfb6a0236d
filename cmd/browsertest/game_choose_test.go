package browsertest

import (
	"fmt"
	"testing"

	"github.com/chromedp/chromedp/kb"
)

// The boards of the chooser do not overlap, and their ratings appear while it is open. What is typed is
// looked for.
func TestChooser(t *testing.T) {
	for name, s := range map[string]screen{"desk": desk, "phone": phone} {
		t.Run(name, func(t *testing.T) {
			p := open(t, siteURL(t)+"/", s)
			p.wait(`document.documentElement.dataset.ready`)
			p.keys("o")
			p.wait(`document.querySelectorAll('#dialog [role=option]').length > 20`)
			p.wait(`[...document.querySelectorAll('#dialog [role=option]')].every(option => /ER \d/.test(option.textContent))`)
			p.shot("rated")
			small := js[[]string](p, `[...document.querySelectorAll('#dialog [role=option]')].filter(option => option.lastChild.getBoundingClientRect().bottom > option.getBoundingClientRect().bottom).map(option => option.textContent)`)
			if len(small) > 0 {
				t.Errorf("there is not enough room for %s", fmt.Sprint(small))
			}
			p.keys("qqq")
			p.wait(`document.querySelector('#dialog .found p').textContent && !document.querySelector('#dialog [role=option]:not([hidden])')`)
			p.keys(kb.Backspace + kb.Backspace + kb.Backspace + "warm" + kb.ArrowDown + kb.Enter)
			p.waitText("#name", "03-warm-up")
		})
	}
}
