package ptx

// Packages that a kernel may import without their source. Instructions replace functions without a
// body and those of package cuda (intrinsics.go, threads.go), or the compiler refuses them; it
// compiles the others.
var stubs = map[string]string{
	cudaPath: `package cuda
const WarpSize = 32
type T struct{}
type Whole interface{ int32 | uint32 | int64 | uint64 }
type Word interface { int32 | uint32 | int64 | uint64 | int | float32 | float64 }
type Shape struct { Blocks, Threads, Shared int }
func (s Shape) Check() error { panic(0) }
type Failure struct { Thread int; Place, What string }
func (f *Failure) Error() string { panic(0) }
func Run(s Shape, kernel func(T)) error { panic(0) }
func (t T) Thread() int
func (t T) Threads() int
func (t T) Block() int
func (t T) Blocks() int
func (t T) Local() int
func (t T) Dim() int
func (t T) Lane() int
func (t T) Warp() int
func (t T) Sync()
func (t T) Ballot(p bool) uint32
func (t T) Any(p bool) bool
func (t T) All(p bool) bool
func Shuffle[W Word](t T, v W, lane int) W { panic(0) }
func ShuffleDown[W Word](t T, v W, delta int) W { panic(0) }
func ShuffleUp[W Word](t T, v W, delta int) W { panic(0) }
func ShuffleXor[W Word](t T, v W, mask int) W { panic(0) }
func Shared[E any](t T, n int) []E { panic(0) }
func SharedAtLaunch[E any](t T) []E { panic(0) }
func AtomicAdd[N Whole](p *N, v N) N { panic(0) }
func AtomicMin[N Whole](p *N, v N) N { panic(0) }
func AtomicMax[N Whole](p *N, v N) N { panic(0) }
func AtomicAnd[N Whole](p *N, v N) N { panic(0) }
func AtomicOr[N Whole](p *N, v N) N { panic(0) }
func AtomicXor[N Whole](p *N, v N) N { panic(0) }
func AtomicSwap[N Whole](p *N, v N) N { panic(0) }
func AtomicCompareSwap[N Whole](p *N, old, v N) N { panic(0) }
`,
	"math": `package math
const (
	E = 2.71828182845904523536028747135266249775724709369995957496696763
	Pi = 3.14159265358979323846264338327950288419716939937510582097494459
	Phi = 1.61803398874989484820458683436563811772030917980576286213544862
	Sqrt2 = 1.41421356237309504880168872420969807856967187537694807317667974
	SqrtE = 1.64872127070012814684865078781416357165377610071014801157507931
	SqrtPi = 1.77245385090551602729816748334114518279754945612238712821380779
	SqrtPhi = 1.27201964951406896425242246173749149171560804184009624861664038
	Ln2 = 0.693147180559945309417232121458176568075500134360255254120680009
	Log2E = 1 / Ln2
	Ln10 = 2.30258509299404568401799145468436420760110148862877297603332790
	Log10E = 1 / Ln10
	MaxFloat32 = 0x1p127 * (1 + (1 - 0x1p-23))
	SmallestNonzeroFloat32 = 0x1p-126 * 0x1p-23
	MaxFloat64 = 0x1p1023 * (1 + (1 - 0x1p-52))
	SmallestNonzeroFloat64 = 0x1p-1022 * 0x1p-52
	MaxInt = 1<<63 - 1
	MinInt = -1 << 63
	MaxInt8 = 1<<7 - 1
	MinInt8 = -1 << 7
	MaxInt16 = 1<<15 - 1
	MinInt16 = -1 << 15
	MaxInt32 = 1<<31 - 1
	MinInt32 = -1 << 31
	MaxInt64 = 1<<63 - 1
	MinInt64 = -1 << 63
	MaxUint = 1<<64 - 1
	MaxUint8 = 1<<8 - 1
	MaxUint16 = 1<<16 - 1
	MaxUint32 = 1<<32 - 1
	MaxUint64 = 1<<64 - 1
)
func Sqrt(x float64) float64
func Abs(x float64) float64
func Floor(x float64) float64
func Ceil(x float64) float64
func Trunc(x float64) float64
func RoundToEven(x float64) float64
func FMA(x, y, z float64) float64
func IsNaN(x float64) bool
func Float64bits(x float64) uint64
func Float64frombits(x uint64) float64
func Float32bits(x float32) uint32
func Float32frombits(x uint32) float32
func NaN() float64 { return Float64frombits(0x7FF8000000000001) }
func Inf(sign int) float64 {
	if sign >= 0 { return Float64frombits(0x7FF0000000000000) }
	return Float64frombits(0xFFF0000000000000)
}
func IsInf(f float64, sign int) bool {
	return sign >= 0 && f > MaxFloat64 || sign <= 0 && f < -MaxFloat64
}
func Signbit(x float64) bool { return Float64bits(x)>>63 != 0 }
func Copysign(f, sign float64) float64 {
	return Float64frombits(Float64bits(f)&^(1<<63) | Float64bits(sign)&(1<<63))
}
func Acos(x float64) float64
func Asin(x float64) float64
func Atan(x float64) float64
func Atan2(y, x float64) float64
func Cbrt(x float64) float64
func Cos(x float64) float64
func Cosh(x float64) float64
func Exp(x float64) float64
func Exp2(x float64) float64
func Hypot(p, q float64) float64
func Log(x float64) float64
func Log10(x float64) float64
func Log1p(x float64) float64
func Log2(x float64) float64
func Max(x, y float64) float64
func Min(x, y float64) float64
func Mod(x, y float64) float64
func Pow(x, y float64) float64
func Round(x float64) float64
func Sin(x float64) float64
func Tan(x float64) float64
func Tanh(x float64) float64
`,
	"math/bits": `package bits
const UintSize = 64
func LeadingZeros(x uint) int
func LeadingZeros32(x uint32) int
func LeadingZeros64(x uint64) int
func TrailingZeros(x uint) int
func TrailingZeros32(x uint32) int
func TrailingZeros64(x uint64) int
func OnesCount(x uint) int
func OnesCount32(x uint32) int
func OnesCount64(x uint64) int
func Reverse32(x uint32) uint32
func Reverse64(x uint64) uint64
func Len(x uint) int
func Len32(x uint32) int
func Len64(x uint64) int
func RotateLeft32(x uint32, k int) uint32
func RotateLeft64(x uint64, k int) uint64
func LeadingZeros8(x uint8) int { return LeadingZeros32(uint32(x)) - 24 }
func LeadingZeros16(x uint16) int { return LeadingZeros32(uint32(x)) - 16 }
func TrailingZeros8(x uint8) int { return TrailingZeros32(uint32(x) | 1<<8) }
func TrailingZeros16(x uint16) int { return TrailingZeros32(uint32(x) | 1<<16) }
func OnesCount8(x uint8) int { return OnesCount32(uint32(x)) }
func OnesCount16(x uint16) int { return OnesCount32(uint32(x)) }
func Reverse(x uint) uint { return uint(Reverse64(uint64(x))) }
func Reverse8(x uint8) uint8 { return uint8(Reverse32(uint32(x)) >> 24) }
func Reverse16(x uint16) uint16 { return uint16(Reverse32(uint32(x)) >> 16) }
func ReverseBytes(x uint) uint { return uint(ReverseBytes64(uint64(x))) }
func ReverseBytes16(x uint16) uint16 { return x<<8 | x>>8 }
func ReverseBytes32(x uint32) uint32 {
	return x<<24 | x>>24 | (x&0xff00)<<8 | (x>>8)&0xff00
}
func ReverseBytes64(x uint64) uint64 {
	return uint64(ReverseBytes32(uint32(x)))<<32 | uint64(ReverseBytes32(uint32(x>>32)))
}
func Len8(x uint8) int { return Len32(uint32(x)) }
func Len16(x uint16) int { return Len32(uint32(x)) }
func RotateLeft(x uint, k int) uint { return uint(RotateLeft64(uint64(x), k)) }
func RotateLeft8(x uint8, k int) uint8 {
	s := uint(k) & 7
	return x<<s | x>>(8-s)
}
func RotateLeft16(x uint16, k int) uint16 {
	s := uint(k) & 15
	return x<<s | x>>(16-s)
}
func Add(x, y, carry uint) (sum, carryOut uint) {
	s, c := Add64(uint64(x), uint64(y), uint64(carry))
	return uint(s), uint(c)
}
func Add32(x, y, carry uint32) (sum, carryOut uint32) {
	s := uint64(x) + uint64(y) + uint64(carry)
	return uint32(s), uint32(s >> 32)
}
func Sub(x, y, borrow uint) (diff, borrowOut uint) {
	d, b := Sub64(uint64(x), uint64(y), uint64(borrow))
	return uint(d), uint(b)
}
func Sub32(x, y, borrow uint32) (diff, borrowOut uint32) {
	diff = x - y - borrow
	return diff, ((^x & y) | (^(x ^ y) & diff)) >> 31
}
func Mul(x, y uint) (hi, lo uint) {
	h, l := Mul64(uint64(x), uint64(y))
	return uint(h), uint(l)
}
func Mul32(x, y uint32) (hi, lo uint32) {
	p := uint64(x) * uint64(y)
	return uint32(p >> 32), uint32(p)
}
func Mul64(x, y uint64) (hi, lo uint64)
func Add64(x, y, carry uint64) (sum, carryOut uint64) {
	sum = x + y + carry
	return sum, ((x & y) | ((x | y) &^ sum)) >> 63
}
func Sub64(x, y, borrow uint64) (diff, borrowOut uint64) {
	diff = x - y - borrow
	return diff, ((^x & y) | (^(x ^ y) & diff)) >> 63
}
`,
}
