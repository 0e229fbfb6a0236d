package photo

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"image"
	"image/draw"
	_ "image/gif"  // the formats that image.Decode knows
	_ "image/jpeg" //
	_ "image/png"  //
	"io"
	"strings"

	_ "golang.org/x/image/bmp"  //
	_ "golang.org/x/image/webp" //
)

// MaxPixels is the number of pixels of the largest picture that Decode reads.
const MaxPixels = 64_000_000

// MaxBytes is the size of the largest file that Decode reads.
const MaxBytes = 256 << 20

// Decode reads a picture: JPEG, PNG, GIF (its first frame), WebP or BMP, whatever its name says. It
// turns a JPEG as its EXIF data demand. It does not decode pictures of more than MaxPixels. When ctx is
// done, it reads no more and returns the cause.
func Decode(ctx context.Context, r io.Reader) (image.Image, error) {
	img, err := decode(untilDone{ctx, r})
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	return img, err
}

// untilDone reads until ctx is done.
type untilDone struct {
	ctx  context.Context
	from io.Reader
}

func (r untilDone) Read(b []byte) (int, error) {
	if err := r.ctx.Err(); err != nil {
		return 0, err
	}
	return r.from.Read(b)
}

func decode(r io.Reader) (image.Image, error) {
	limited := &io.LimitedReader{R: r, N: MaxBytes}
	input := bufio.NewReaderSize(limited, headerSize)
	header, _ := input.Peek(headerSize) // a shorter file gives a shorter header, and any failure comes again
	var read bytes.Buffer
	config, format, err := image.DecodeConfig(io.TeeReader(input, &read))
	if err != nil {
		return nil, decodeError(err, header, limited)
	}
	if w, h := config.Width, config.Height; w <= 0 || h <= 0 || w > MaxPixels/h {
		return nil, fmt.Errorf("cannot read a picture of %dx%d pixels: want at most %d million pixels", w, h, MaxPixels/1_000_000)
	}
	img, _, err := image.Decode(io.MultiReader(&read, input))
	if err != nil {
		return nil, decodeError(err, header, limited)
	}
	if format == "jpeg" {
		img = oriented(img, orientation(header))
	}
	return img, nil
}

// SignatureSize is the number of bytes that IsPicture needs.
const SignatureSize = 12

// IsPicture reports whether a file with these first bytes is meant to be a picture, also one that
// Decode refuses.
func IsPicture(header []byte) bool {
	for _, pattern := range []string{"\xff\xd8\xff", "\x89PNG\r\n\x1a\n", "GIF8", "RIFF????WEBP", "BM????\x00\x00\x00\x00", "????ftyp"} {
		if matches(header, pattern) {
			return true
		}
	}
	return false
}

// matches reports whether a header begins with a pattern, in which ? is any byte.
func matches(header []byte, pattern string) bool {
	if len(header) < len(pattern) {
		return false
	}
	for i := range len(pattern) {
		if pattern[i] != '?' && pattern[i] != header[i] {
			return false
		}
	}
	return true
}

// headerSize is the number of bytes in which a JPEG has its EXIF data.
const headerSize = 128 << 10

func decodeError(err error, header []byte, input *io.LimitedReader) error {
	switch {
	case input.N <= 0:
		return fmt.Errorf("cannot read the picture: it has more than %d MB", MaxBytes>>20)
	case len(header) == 0:
		return errors.New("cannot read the picture: the file is empty")
	case matches(header, "????ftyp"):
		return errors.New("cannot read the picture: HEIC, AVIF and videos are not supported: save it as JPEG or PNG")
	case errors.Is(err, image.ErrFormat):
		return errors.New("the file is not a picture: want JPEG, PNG, GIF, WebP or BMP")
	case endsEarly(err):
		return errors.New("cannot read the picture: the file is cut off")
	}
	return fmt.Errorf("cannot read the picture: %w", err)
}

// endsEarly reports whether an error of a decoder means that the file is cut off. Some are only texts.
func endsEarly(err error) bool {
	text := err.Error()
	return errors.Is(err, io.EOF) || strings.Contains(text, io.ErrUnexpectedEOF.Error()) || strings.Contains(text, "not enough")
}

// oriented returns a picture as it is meant to be seen. The orientation is that of EXIF: from 1 to 8,
// the sides at which row 0 and column 0 are.
func oriented(img image.Image, orientation int) image.Image {
	if orientation < 2 || orientation > 8 {
		return img
	}
	b := img.Bounds()
	w, h := b.Dx(), b.Dy()
	transposed := orientation >= 5
	out := image.NewRGBA(image.Rect(0, 0, w, h))
	if transposed {
		out = image.NewRGBA(image.Rect(0, 0, h, w))
	}
	row := image.NewRGBA(image.Rect(0, 0, w, 1))
	for y := range h {
		draw.Draw(row, row.Rect, img, image.Pt(b.Min.X, b.Min.Y+y), draw.Src)
		for x := range w {
			i, j := x, y
			if orientation == 2 || orientation == 3 || orientation == 7 || orientation == 8 {
				i = w - 1 - x
			}
			if orientation == 3 || orientation == 4 || orientation == 6 || orientation == 7 {
				j = h - 1 - y
			}
			if transposed {
				i, j = j, i
			}
			copy(out.Pix[j*out.Stride+4*i:], row.Pix[4*x:4*x+4])
		}
	}
	return out
}
