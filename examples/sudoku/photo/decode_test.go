package photo_test

import (
	"bytes"
	"encoding/binary"
	"hash/crc32"
	"image"
	"image/color"
	"image/gif"
	"image/jpeg"
	"image/png"
	"strings"
	"testing"

	"golang.org/x/image/bmp"

	"github.com/scxmlrun/scxmlrun/examples/sudoku/photo"
)

// corner returns a picture of 30x20 pixels that is white at the top left.
func corner() *image.Gray {
	img := image.NewGray(image.Rect(0, 0, 30, 20))
	for y := range 10 {
		for x := range 15 {
			img.SetGray(x, y, color.Gray{255})
		}
	}
	return img
}

func jpegOf(t testing.TB, img image.Image) []byte {
	var b bytes.Buffer
	if err := jpeg.Encode(&b, img, &jpeg.Options{Quality: 95}); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func pngOf(t testing.TB, img image.Image) []byte {
	var b bytes.Buffer
	if err := png.Encode(&b, img); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// withOrientation adds EXIF data to a JPEG.
func withOrientation(jpeg []byte, order binary.AppendByteOrder, orientation int) []byte {
	tiff := []byte("MM\x00*")
	if order == binary.LittleEndian {
		tiff = []byte("II*\x00")
	}
	tiff = order.AppendUint32(tiff, 8)
	tiff = order.AppendUint16(tiff, 1)
	tiff = order.AppendUint16(tiff, 0x0112)
	tiff = order.AppendUint16(tiff, 3)
	tiff = order.AppendUint32(tiff, 1)
	tiff = order.AppendUint16(tiff, uint16(orientation))
	tiff = order.AppendUint16(tiff, 0)
	data := append([]byte("Exif\x00\x00"), tiff...)
	segment := binary.BigEndian.AppendUint16([]byte{0xff, 0xe1}, uint16(len(data)+2))
	return bytes.Join([][]byte{jpeg[:2], segment, data, jpeg[2:]}, nil)
}

func TestEXIFTurnsThePicture(t *testing.T) {
	// The place of the white quarter: top left, top right, bottom right, bottom left.
	want := []int{1: 0, 2: 1, 3: 2, 4: 3, 5: 0, 6: 1, 7: 2, 8: 3}
	for orientation := 1; orientation <= 8; orientation++ {
		for _, order := range []binary.AppendByteOrder{binary.BigEndian, binary.LittleEndian} {
			img, err := photo.Decode(t.Context(), bytes.NewReader(withOrientation(jpegOf(t, corner()), order, orientation)))
			if err != nil {
				t.Fatal(err)
			}
			b := img.Bounds()
			if wide := b.Dx() > b.Dy(); wide != (orientation < 5) {
				t.Errorf("orientation %d: %v", orientation, b)
			}
			for i, p := range []image.Point{{2, 2}, {b.Dx() - 3, 2}, {b.Dx() - 3, b.Dy() - 3}, {2, b.Dy() - 3}} {
				white := color.GrayModel.Convert(img.At(p.X, p.Y)).(color.Gray).Y > 128
				if white != (i == want[orientation]) {
					t.Errorf("orientation %d: corner %d is white: %v", orientation, i, white)
				}
			}
		}
	}
}

func TestEveryFormatIsRead(t *testing.T) {
	var g, b bytes.Buffer
	if err := gif.Encode(&g, corner(), nil); err != nil {
		t.Fatal(err)
	}
	if err := bmp.Encode(&b, corner()); err != nil {
		t.Fatal(err)
	}
	webp := []byte("RIFF\x1a\x00\x00\x00WEBPVP8L\x0d\x00\x00\x00\x2f\x00\x00\x00\x10\x07\x10\x11\x11\x88\x88\xfe\x07\x00")
	for name, data := range map[string][]byte{"JPEG": jpegOf(t, corner()), "PNG": pngOf(t, corner()), "GIF": g.Bytes(), "BMP": b.Bytes(), "WebP": webp} {
		if !photo.IsPicture(data[:photo.SignatureSize]) {
			t.Errorf("%s: not a picture", name)
		}
		if _, err := photo.Decode(t.Context(), bytes.NewReader(data)); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// pngHeader returns the beginning of a PNG of a size, with a correct checksum.
func pngHeader(w, h uint32) []byte {
	chunk := []byte("IHDR")
	chunk = binary.BigEndian.AppendUint32(chunk, w)
	chunk = binary.BigEndian.AppendUint32(chunk, h)
	chunk = append(chunk, 8, 0, 0, 0, 0)
	data := append([]byte("\x89PNG\r\n\x1a\n\x00\x00\x00\x0d"), chunk...)
	return binary.BigEndian.AppendUint32(data, crc32.ChecksumIEEE(chunk))
}

func TestBadFilesAreRefused(t *testing.T) {
	whole := jpegOf(t, corner())
	tests := []struct {
		name string
		data []byte
		want string
	}{
		{"empty", nil, "the file is empty"},
		{"text", []byte("53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"), "not a picture: want JPEG, PNG"},
		{"cut off", whole[:len(whole)/2], "the file is cut off"},
		{"a PNG that is cut off", pngOf(t, corner())[:70], "the file is cut off"},
		{"cut off in the header", whole[:20], "the file is cut off"},
		{"65 megapixels", pngHeader(8125, 8000), "8125x8000 pixels: want at most 64 million"},
		{"a size that overflows", pngHeader(1<<31-1, 1<<31-1), "cannot read the picture: png: "},
		{"an iPhone's format", []byte("\x00\x00\x00\x18ftypheic\x00\x00\x00\x00"), "HEIC, AVIF and videos are not supported"},
	}
	for _, test := range tests {
		_, err := photo.Decode(t.Context(), bytes.NewReader(test.data))
		if err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: error %v, want %q", test.name, err, test.want)
		}
	}
}

// A header may promise much and the file have little: the pixels that are not there do not use
// memory for long, and the error comes.
func TestDecompressionBombIsCutOff(t *testing.T) {
	if _, err := photo.Decode(t.Context(), bytes.NewReader(pngHeader(8000, 8000))); err == nil {
		t.Error("no error")
	}
}

// The decoder passes over bytes between segments, which may look like one that is too short.
func TestSegmentWithoutALength(t *testing.T) {
	whole := withOrientation(jpegOf(t, corner()), binary.BigEndian, 6)
	for _, stray := range []string{"\xff\x00\x00\x00", "\xff\x00\x00\x01"} {
		if _, err := photo.Decode(t.Context(), strings.NewReader(string(whole[:2])+stray+string(whole[2:]))); err != nil {
			t.Errorf("%q: %v", stray, err)
		}
	}
}

func FuzzDecode(f *testing.F) {
	f.Add(jpegOf(f, corner()))
	f.Add(withOrientation(jpegOf(f, corner()), binary.BigEndian, 6))
	f.Add(pngOf(f, corner()))
	f.Add(pngHeader(30, 20))
	f.Add([]byte("BM\x1a\x00\x00\x00\x00\x00\x00\x00"))
	reader := photo.NewReader()
	f.Fuzz(func(t *testing.T, data []byte) {
		if len(data) > 1<<16 {
			t.Skip("too long to be quick")
		}
		if config, _, err := image.DecodeConfig(bytes.NewReader(data)); err == nil && config.Width > 1<<16/max(1, config.Height) {
			t.Skip("too large to be quick")
		}
		img, err := photo.Decode(t.Context(), bytes.NewReader(data))
		if err != nil {
			return
		}
		if b := img.Bounds(); b.Empty() {
			t.Errorf("an empty picture: %v", b)
		}
		reader.Read(t.Context(), img)
	})
}
