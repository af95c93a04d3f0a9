"""Deterministic audio transforms and test signals, for the tests and for `golden/make_audio.py`.

A case is an expression over ``audio`` and the name of a sound; the first of each transform is also given the other
dtypes and shapes.
"""

import re

import numpy as np

# Lengths of the axes that a transform needs, by the name of the sound.
LENGTHS = {
    "time": (40,),
    "speech": (240,),
    "spectrum": (9, 10),
    "magnitudes": (9, 10),
    "channels": (2, 40),
    "pairs": (12, 2),
    "complex": (9, 10, 2),
}
_CASES = {
    "time": """
        AllpassBiquad(4000, 200.0)  AllpassBiquad(44100, 1000, 0.1)
        BandBiquad(4000, 200.0)  BandBiquad(44100, 2000, 0.3, True)  BandBiquad(8000, 500.0, 1)
        BandpassBiquad(4000, 200.0)  BandpassBiquad(44100, 2000, 0.3, True)
        BandrejectBiquad(4000, 200.0)  BandrejectBiquad(44100, 2000, 0.3)
        BassBiquad(4000, 5.0)  BassBiquad(44100, 50, 200.0, 0.3)  BassBiquad(44100, -10, 300)
        Biquad(0.1, 0.2, 0.3, 1.0, 0.1, 0.2)  Biquad(1, 0.2, 0.13, 2, 0.1, 0.3)  Biquad(0.01, 0.02, 0.13, 1, 0.12, 0.3)
        DeemphBiquad(44100)  DeemphBiquad(48000)
        EqualizerBiquad(4000, 200.0, 5.0)  EqualizerBiquad(44100, 1500, -5.5, 0.7)
        HighpassBiquad(4000, 1500.0)  HighpassBiquad(44100, 1500, 0.7)
        LowpassBiquad(4000, 1500, 0.7)  LowpassBiquad(44100, 15.0)
        RiaaBiquad(44100)  RiaaBiquad(48000)  RiaaBiquad(88200)  RiaaBiquad(96000)
        TrebleBiquad(8000, 5.0)  TrebleBiquad(44100, 200.0)  TrebleBiquad(44100, -20, 1500, 0.3)
        LFilter([1.0, 0.1, 0.3], [0.4, 0.2, 0.9])  LFilter((2.0, 0.1), (3, 0.2), False)  LFilter([2.0, 0.1], [3, 0.2])
        Filtfilt([1.0, 0.1, 0.3], [0.4, 0.2, 0.9])  Filtfilt((2.0, 0.1), (3, 0.2), False)  Filtfilt([2.0, 1], [3, 0.2])
        Contrast()  Contrast(0)  Contrast(100.0)
        DBToAmplitude(1.0, 1.0)  DBToAmplitude(0.5, 0.5)  DBToAmplitude(2, 2)
        DCShift(0.5, 0.02)  DCShift(-0.8, 0.3)  DCShift(0.8, -0.03)  DCShift(-1.5)  DCShift(0.3)  DCShift(0, 0.5)
        DCShift(-0.5, 0.5)  DCShift(0.5, -0.5)
        Dither()  Dither(DensityFunction.TPDF, True)
        Fade(3, 4)  Fade()  Fade(40, 40, FadeShape.HALF_SINE)  Fade(10, 5, FadeShape.QUARTER_SINE)  Fade(1, 1)
        Fade(10, 5, FadeShape.LOGARITHMIC)  Fade(10, 35, FadeShape.EXPONENTIAL)  Fade(2, 0, FadeShape.EXPONENTIAL)
        Fade(0, 7, FadeShape.LOGARITHMIC)
        Gain()  Gain(-3.5)  Gain(20)
        MuLawDecoding()  MuLawDecoding(16)  MuLawEncoding()  MuLawEncoding(16)
        Overdrive()  Overdrive(0, 0)  Overdrive(100, 100)  Overdrive(5.5, 70)
        Phaser(4000)  Phaser(4000, 0.2, 2.0, 4.0, 0.6, 1.0, False)  Phaser(44100, 1, 1, 0.5, 0.1, 2)
        Phaser(16000, 0.4, 0.7, 3, 0.9, 1.9, False)  Phaser(2000, 0.4, 0.74, 5.0, 0.99, 2)
        Resample(4000, 3000)  Resample(3000, 4000, ResampleMethod.KAISER_WINDOW)  Resample()  Resample(48000, 16000)
        Resample(16000, 44100)  Resample(30, 20, ResampleMethod.KAISER_WINDOW, 3, 0.8, 10.0)
        Resample(7, 5, rolloff=0.5)
        Vol(0.5)  Vol(3, GainType.POWER)  Vol(-3.0, GainType.DB)  Vol(0)  Vol(30.0)  Vol(30, GainType.DB)
    """,
    "spectrum": """
        AmplitudeToDB()  AmplitudeToDB(ScaleType.MAGNITUDE, 2, 0.01, 20)  AmplitudeToDB(top_db=3.0)
        ComputeDeltas()  ComputeDeltas(3, BorderType.CONSTANT)  ComputeDeltas(7, BorderType.REFLECT)
        ComputeDeltas(9, BorderType.SYMMETRIC)  ComputeDeltas(6)
        FrequencyMasking(False, 3, 2, 5.0)  FrequencyMasking(False, 0, 3, 1.0)  FrequencyMasking(False, 7, 2)
        TimeMasking(False, 3, 2, 5.0)  TimeMasking()  TimeMasking(False, 8, 2)
        MaskAlongAxis(2, 3, 5.0, 1)  MaskAlongAxis(0, 10, 1, 2)  MaskAlongAxis(3, 1, -2.5, 2)
        MaskAlongAxisIID(0, 5.0, 1)  MaskAlongAxisIID(0, 5.0, 2)
        MelScale(5, 4000, n_stft=9)  MelScale(4, 8000, 20.0, 2500.0, 9, NormType.SLANEY, MelType.SLANEY)
        MelScale(3, 8000, n_stft=9, norm=NormType.SLANEY)  MelScale(6, 8000, 100, n_stft=9, mel_type=MelType.SLANEY)
        SlidingWindowCmn(5, 2)  SlidingWindowCmn()  SlidingWindowCmn(4, 3, True)  SlidingWindowCmn(5, 2, True, True)
        SlidingWindowCmn(3, 1, False, True)  SlidingWindowCmn(6, 3, False, True)  SlidingWindowCmn(20, 3, True)
        SlidingWindowCmn(7, 4, False)  SlidingWindowCmn(1, 1, True, True)  SlidingWindowCmn(6, 6, True, True)
    """,
    "magnitudes": """
        GriffinLim(16, 3, rand_init=False)  GriffinLim(16, 1, 10, 4, WindowType.HAMMING, 1.0, 0.5, None, False)
        GriffinLim(16, 4, hop_length=5, power=1.5, momentum=0.9, length=47, rand_init=False)
    """,
    "pairs": """
        Angle()
        ComplexNorm()  ComplexNorm(2)  ComplexNorm(0.5)  ComplexNorm(0)
        Magphase()  Magphase(2.0)  Magphase(0.5)
    """,
    "complex": """
        InverseSpectrogram(n_fft=16)  InverseSpectrogram(50, 16, 10, 4, 0, WindowType.HAMMING, True)
        InverseSpectrogram(None, 16, pad=2, center=False, window=WindowType.HAMMING)
        InverseSpectrogram(n_fft=10, hop_length=3)  InverseSpectrogram(30, 16, hop_length=3, pad_mode=BorderType.EDGE)
        InverseSpectrogram(90, 16, hop_length=20, center=False)
        PhaseVocoder(1.3, phase_advance(9, 8))  PhaseVocoder(0.7, phase_advance(9, 3))
        PhaseVocoder(1, phase_advance(9, 8))  TimeStretch(8, 9, 1.3)  TimeStretch(n_freq=9)  TimeStretch(4, 9, 0.6)
    """,
    "speech": """
        DetectPitchFrequency(4000, 0.01, 3)  DetectPitchFrequency(4000, 0.02, 4, 100, 1000)
        DetectPitchFrequency(8000, 0.005, 5, 200, 2000)
        LFCC(4000, 8, 4, speckwargs=of_spectrum())
        LFCC(4000, 9, 5, 20, 1500.0, norm=NormMode.NONE, speckwargs=of_spectrum(power=1.0), log_lf=True)
        MFCC(4000, 4, melkwargs=of_mel())
        MFCC(4000, 4, 2, NormMode.NONE, True, of_mel(n_fft=64, norm=NormType.SLANEY, mel_scale=MelType.SLANEY, pad=3))
        MelSpectrogram(4000, n_fft=32, n_mels=5)
        MelSpectrogram(4000, 30, 20, 10, 50.0, 1500.0, 2, 4, WindowType.HAMMING, 1.0, True, False, norm=NormType.SLANEY)
        MelSpectrogram(4000, 32, n_mels=6, mel_scale=MelType.SLANEY, pad_mode=BorderType.EDGE, onesided=True)
        PitchShift(4000, 2, n_fft=64)  PitchShift(4000, -3, 24, 64, 40, 16, WindowType.HAMMING)
        PitchShift(16000, 4, n_fft=128)
        SpectralCentroid(4000, 32)  SpectralCentroid(8000, 64, 40, 30, 3, WindowType.HAMMING)
        Spectrogram(32)  Spectrogram(32, 20, 16, 3, WindowType.HAMMING, 1.0, True, False)  Spectrogram(power=0)
        Spectrogram(32, 30, 16, window=WindowType.BARTLETT, pad_mode=BorderType.SYMMETRIC)
        Spectrogram(32, 31, 16, window=WindowType.BLACKMAN, pad_mode=BorderType.CONSTANT, onesided=False)
        Spectrogram(31, 30, 16, window=WindowType.KAISER, pad_mode=BorderType.EDGE, power=0.5)
        Spectrogram(33, 33, 7, 4, power=0.0, normalized=True)  Spectrogram(33, power=1, onesided=False)
        Spectrogram(32, 31, 64, window=WindowType.BARTLETT, power=3)
    """,
    "channels": """
        Flanger(4000)  Flanger(4000, 1.0, 3.0, 50, 90, 2.0, 10.0)  Flanger(2000, 0.7, 5, -80.0, 100, 10, 70)
        Flanger(4000, 0.5, 2.0, 0, 60, 5, 100, Modulation.TRIANGULAR, Interpolation.QUADRATIC)
        Flanger(4000, 0.5, 4.0, 90, 60, 9.5, 30, Modulation.SINUSOIDAL, Interpolation.QUADRATIC)
    """,
}
_FUNCTIONS = """
    linear_fbanks(5, 1, 1, 2, 4)  melscale_fbanks(1, 0, 2, 2, 4)
    create_dct(3, 5)  create_dct(5, 3, NormMode.ORTHO)  create_dct(1, 1, NormMode.ORTHO)
    linear_fbanks(9, 0.0, 2000.0, 4, 4000)  linear_fbanks(20, 50, 1000, 7, 8000)
    melscale_fbanks(9, 0.0, 2000.0, 4, 4000)  melscale_fbanks(20, 50, 3000, 7, 8000, NormType.SLANEY)
    melscale_fbanks(20, 50, 3000, 7, 8000, NormType.SLANEY, MelType.SLANEY)
"""
_REFUSALS = """
    LowpassBiquad(0, 1500)  LowpassBiquad(4000.0, 1500)  LowpassBiquad(True, 1500)  LowpassBiquad(4000, "a")
    LowpassBiquad(4000, 1500, 0)  LowpassBiquad(4000, 1500, 1.1)  LowpassBiquad(4000, 1500, None)
    LowpassBiquad(4000, 1e9)  BandBiquad(4000, 1, 0.5, 1)  BandpassBiquad(4000, 1, 0.5, None)  DeemphBiquad(4000)
    DeemphBiquad(44100.0)  RiaaBiquad(4000)  Biquad(1, 1, 1, 0, 1, 1)  Biquad(1, "1", 1, 1, 1, 1)  BassBiquad(4000, 1e9)
    EqualizerBiquad(4000, 1.0, [1])  LFilter([1], [1, 2])  LFilter(1, [1])  LFilter([1], ["a"])  Filtfilt([1], [1], 1)
    AmplitudeToDB("power")  AmplitudeToDB(ref_value=0)  AmplitudeToDB(amin=-1)  AmplitudeToDB(top_db=0)
    AmplitudeToDB(top_db=None)  ComplexNorm(-1)  ComplexNorm("1")  ComputeDeltas(2)  ComputeDeltas(3.0)
    ComputeDeltas(5, "edge")  Contrast(101)  Contrast("a")  DBToAmplitude(1e9, 1)  DBToAmplitude("1", 1)  DCShift(2.1)
    DCShift(1, "a")  DetectPitchFrequency(0)  DetectPitchFrequency(4000, 0)  DetectPitchFrequency(4000, 0.01, 0)
    DetectPitchFrequency(4000, 0.01, 1.0)  DetectPitchFrequency(4000, freq_low=0)  Dither("TPDF")
    Dither(DensityFunction.TPDF, 1)  Fade(-1)  Fade(1.0)  Fade(1, 1, "linear")  Flanger(0)  Flanger(4000, 31)
    Flanger(4000, depth=11)  Flanger(4000, regen=-96)  Flanger(4000, width=101)  Flanger(4000, speed=0)
    Flanger(4000, phase=101)  Flanger(4000, modulation="sinusoidal")  FrequencyMasking(1)  FrequencyMasking(True, 1.0)
    FrequencyMasking(True, -1)  TimeMasking(True, 1, -1)  TimeMasking(True, 1, 1, -1)  Gain("a")  GriffinLim(0)
    GriffinLim(16, 0)  GriffinLim(16, 1, 17)  GriffinLim(16, 1, power=0)  GriffinLim(16, rand_init=1)
    InverseMelScale(9, max_iter=0)  InverseMelScale(9, tolerance_loss=0)  InverseSpectrogram(-1)
    InverseSpectrogram(n_fft=0)  InverseSpectrogram(n_fft=16, win_length=17)  LFCC(-1)  LFCC(4000, f_min=3000)
    LFCC(4000, f_min=30, f_max=20)  LFCC(dct_type=3)  LFCC(speckwargs=of_spectrum())  LFCC(log_lf=1)  Magphase(-1)
    LFCC(speckwargs=of_spectrum(win_length=33))  MFCC(dct_type=1)  MFCC(n_mfcc=9, melkwargs=of_mel())  MFCC(4000.0)
    MaskAlongAxis(-1, 1, 1, 1)  MaskAlongAxis(1, 0, 1, 1)  MaskAlongAxis(1, 1, 1, 0)  MaskAlongAxis(1, 1, "a", 1)
    MaskAlongAxisIID(-1, 1.0, 1)  MaskAlongAxisIID(1, 1.0, 3)  MelScale(0)  MelScale(sample_rate=0)
    MelScale(4, 4000, 2000.0)  MelScale(4, 4000, 20, 10)  MelScale(4, 4000, norm="none")  MelSpectrogram(-1)
    MelSpectrogram(4000, f_min=1)  MelSpectrogram(4000, power=0)  MelSpectrogram(4000, f_min=3.0, f_max=2.0)
    MelSpectrogram(4000, win_length=401)  MuLawDecoding(0)  MuLawEncoding(1.0)  Overdrive(101)  Overdrive(1, -1)
    PhaseVocoder(0, phase_advance(9, 8))  PhaseVocoder(1.0, [1])  Phaser(4000.0)  Phaser(4000, 1.1)  Phaser(4000, 1, -1)
    Phaser(4000, delay_ms=5.1)  Phaser(4000, decay=1)  Phaser(4000, mod_speed=0)  Phaser(4000, sinusoidal=1)
    PitchShift(-1, 2)  PitchShift(4000, 2.0)  PitchShift(4000, 2, 0)  PitchShift(4000, 2, 12, 16, 17)  Resample(0)
    Resample(1, 2, "sinc_interpolation")  Resample(1, 2, lowpass_filter_width=0)  Resample(1, 2, rolloff=1)
    Resample(1, 2, rolloff=1.1)  Resample(1, 2, rolloff=0.0)  SlidingWindowCmn(-1)  SlidingWindowCmn(1, -1)
    SlidingWindowCmn(1, 1, 1)  SpectralCentroid(-1)  SpectralCentroid(4000, 16, 17)  SpectralCentroid(4000, pad=-1)
    Spectrogram(0)  Spectrogram(16, 17)  Spectrogram(16, window="hann")  Spectrogram(16, power=-1)
    Spectrogram(16, pad_mode="edge")  TimeStretch(0)  TimeStretch(1, 0)  TimeStretch(1, 1, 0)
    Vol(-1)  Vol(0, GainType.POWER)  Vol(1, "db")  create_dct(0, 1)  create_dct(1, 1.0)
    create_dct(1, 1, "ortho")  linear_fbanks(1, 2, 1, 1, 1)
    linear_fbanks(-1, 1, 2, 1, 1)  linear_fbanks(1, 1, 2, 0, 1)  melscale_fbanks(1, 1, 2, 1, 0)
    melscale_fbanks(1, 1, 2, 1, 1, MelType.HTK)  melscale_fbanks(1, -1, 2, 1, 1)
"""
# Arrays that are special in some way: of another length, kind or number of axes than a transform expects.
_SPECIAL = """
    LowpassBiquad(4000, 1500) of [1.0]  Vol(1) of np.float32(1)  Vol(1) of np.array(["a"])
    Vol(1) of np.zeros((2, 0))  Vol(1) of 1
    Biquad(1, 1, 0, 1, 0.5, 0) of [0.1, 0.5, 0.2]  Biquad(1, 1, 0, 1, 0, 0) of [1, 2]
    Spectrogram(4) of [1.0, 2.0, 3.0, 4.0, 5.0]  SpectralCentroid(4000, 4) of [1, 2, 3, 4, 5]
    SpectralCentroid(4000, 8) of np.zeros(20)  Spectrogram(8) of np.arange(4.0)  Spectrogram(8, 1) of np.arange(9.0)
    Spectrogram(8, center=False) of np.arange(7.0)  Spectrogram(8, pad_mode=BorderType.EDGE) of np.arange(3.0)
    MelSpectrogram(4000, n_fft=32) of np.arange(10.0)  Fade(7, 0) of np.ones(6)  Fade(0, 7) of np.ones(6)
    LFilter([0.0, 1.0], [1.0, 1.0]) of np.ones(6)  LFilter([], []) of np.ones(6)  BandBiquad(4000, 0) of np.ones(6)
    LowpassBiquad(-4000, 200) of np.ones(6)  MuLawDecoding(1) of np.ones(6)  Flanger(4000) of np.ones((6, 5))
    Flanger(-4000) of np.ones((2, 5))  Flanger(10, depth=0) of np.ones((2, 5))  Phaser(0) of np.ones(6)
    ComputeDeltas(9, BorderType.REFLECT) of np.eye(3)  ComputeDeltas(9, BorderType.SYMMETRIC) of np.eye(3)
    SlidingWindowCmn(0, 0) of np.eye(3)  Angle() of np.eye(3)  MelScale(5, 4000, n_stft=8) of np.ones((9, 10))
    FrequencyMasking(False, 4) of np.eye(3)  FrequencyMasking(True, 4) of np.eye(3)
    TimeMasking(False, 3, 1) of np.eye(3)
    MaskAlongAxis(2, 2, 1, 1) of np.eye(3)  MaskAlongAxis(3, 1, 1, 2) of np.eye(3)
    MaskAlongAxisIID(4, 1, 2) of np.eye(3)
    PhaseVocoder(1.3, phase_advance(8, 8)) of np.ones((9, 10, 2), np.float32)
    PhaseVocoder(1.3, phase_advance(9, 8)) of np.ones((9, 10, 2))  GriffinLim(16, momentum=1) of np.ones((9, 10))
    GriffinLim(16, length=16) of np.ones((9, 10))  GriffinLim(18) of np.ones((9, 10))
    InverseMelScale(9, 5, 4000) of np.ones((4, 3))  InverseSpectrogram(n_fft=18) of np.ones((9, 10, 2))
    InverseSpectrogram(n_fft=16, pad=2) of np.ones((9, 10, 2))  Resample(7, 7) of np.arange(6.0)
    DetectPitchFrequency(4000, 0.01, 30) of np.arange(100.0)
    DetectPitchFrequency(-4000, 0.01, 3) of np.arange(100.0)
    SlidingWindowCmn(3, 1, False, True) of np.ones((5, 2))
"""


def phase_advance(count, hop):
    """What the phases of ``count`` bins are expected to gain from frame to frame."""
    return np.linspace(0, np.pi * hop, count, dtype=np.float32).reshape(count, 1)


def cases():
    """The name of the sound and the expression of every case."""
    return [(sound, text) for sound, block in _CASES.items() for text in _split(block)]


def functions():
    """The expressions that need no sound."""
    return _split(_FUNCTIONS)


def refusals():
    """The expressions that are refused."""
    return _split(_REFUSALS)


def specials():
    """Expressions of a transform and of an array, with ``of`` between them."""
    return _split(_SPECIAL)


def special_outcome(audio, text):
    """The `outcome` of one of `specials`."""
    transform, array = text.split(" of ")
    return outcome(audio, transform, eval(array))


def _split(block):
    return [text for text in re.split(r"\s{2,}", block.strip()) if text]


# Where MindSpore reads numbers of one dtype as those of another, or memory that nothing was written to.
_NONSENSE = {
    "MelSpectrogram": "float64",
    "MFCC": "float64",
    "LFCC": "float64",
    "InverseSpectrogram": "float16 int16 bool",
}


def variants():
    """Every case, an expression, with the name of its sound and each dtype and shape that it has."""
    seen = set()
    for sound, text in cases():
        name, length = text.partition("(")[0], LENGTHS[sound]
        forms = [("float32", (2, *length))]
        if name not in seen:
            forms += [(dtype, (2, *length)) for dtype in ("float64", "float16", "int16", "bool")]
            forms += [("float32", length), ("float32", (2, 2, *length)), ("float32", length[1:])]
        seen.add(name)
        for dtype, shape in forms:
            if dtype not in _NONSENSE.get(name, ""):
                yield sound, text, dtype, shape


def key(text, dtype, shape):
    """The name of a case's figures."""
    return f"{text} {dtype} {shape}"


def wave(sound, dtype, shape):
    """A sound: two notes, one of which goes up."""
    time = np.arange(np.prod(shape, dtype=int)).reshape(shape)
    value = 0.6 * np.sin(0.9 * time) + 0.35 * np.cos(0.003 * time**1.5 + 1)
    if sound == "magnitudes":
        value = value + 1.2
    if dtype.startswith("float"):
        return value.astype(dtype)
    return value > 0 if dtype == "bool" else (value * 9).astype(dtype)


def scope(audio):
    """The names that the expressions use."""
    return {**vars(audio), "phase_advance": phase_advance, **_options(audio)}


def _options(audio):
    spectrum = {
        "n_fft": 32, "win_length": 32, "hop_length": 16, "pad": 0, "window": audio.WindowType.HANN, "power": 2.0,
        "normalized": False, "center": True, "pad_mode": audio.BorderType.REFLECT, "onesided": True,
    }  # fmt: skip
    mel = {"f_min": 0.0, "f_max": 2000.0, "n_mels": 8, "norm": audio.NormType.NONE, "mel_scale": audio.MelType.HTK}
    return {
        "of_spectrum": lambda **options: {**spectrum, **options},
        "of_mel": lambda **options: {**spectrum, **mel, **options},
    }


def outcome(audio, text, value=None):
    """The arrays that an expression gives, or that the transform gives that it makes; or the error's type."""
    try:
        made = eval(text, scope(audio))
        made = made if value is None else made(value)
    except Exception as error:
        return next(kind.__name__ for kind in type(error).__mro__ if kind.__module__ == "builtins")
    return list(made) if isinstance(made, tuple) else [made]
