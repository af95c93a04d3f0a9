"""Names removed from Python's standard library: since which version, and what to use instead."""

import sys

_ABC = "Callable Container Generator Hashable ItemsView Iterable Iterator KeysView Mapping MappingView " \
       "MutableMapping MutableSequence MutableSet Reversible Sequence Set Sized ValuesView"  # fmt: skip

# Rows of (version, names, what to use instead; {} is the last part of the name).
_ROWS = [
    ((3, 0), "ConfigParser", "configparser"),
    ((3, 0), "Queue", "queue"),
    ((3, 0), "StringIO cStringIO", "io.StringIO, io.BytesIO"),
    ((3, 0), "__builtin__", "builtins"),
    ((3, 0), "cPickle", "pickle"),
    ((3, 0), "commands", "subprocess"),
    ((3, 0), "itertools.ifilter itertools.imap itertools.izip", "filter, map, zip"),
    ((3, 0), "itertools.izip_longest", "itertools.zip_longest"),
    ((3, 0), "os.getcwdu", "os.getcwd"),
    ((3, 0), "string.letters string.lowercase string.uppercase", "string.ascii_letters and similar names"),
    ((3, 0), "string.join string.maketrans string.replace string.split string.strip", "the methods of str"),
    ((3, 0), "sys.maxint", "sys.maxsize"),
    ((3, 0), "thread", "threading"),
    ((3, 0), "types.DictType types.IntType types.ListType types.StringType types.TupleType", "dict, int, list, str"),
    ((3, 0), "urllib.quote urllib.unquote urllib.urlencode", "urllib.parse.{}"),
    ((3, 0), "urllib.urlopen urllib.urlretrieve", "urllib.request.{}"),
    ((3, 0), "urllib2", "urllib.request"),
    ((3, 0), "urlparse", "urllib.parse"),
    ((3, 7), "os.errno", "errno"),
    ((3, 8), "cgi.escape", "html.escape"),
    ((3, 8), "platform.dist platform.linux_distribution", "platform.freedesktop_os_release"),
    ((3, 8), "time.clock", "time.perf_counter"),
    ((3, 9), "base64.decodestring base64.encodestring", "base64.decodebytes, base64.encodebytes"),
    ((3, 9), "dummy_threading", "threading"),
    ((3, 9), "fractions.gcd", "math.gcd"),
    ((3, 9), "plistlib.readPlist plistlib.writePlist", "plistlib.load, plistlib.dump"),
    ((3, 9), "sys.getcheckinterval sys.setcheckinterval", "sys.setswitchinterval"),
    ((3, 9), "xml.etree.cElementTree", "xml.etree.ElementTree"),
    ((3, 10), " ".join(f"collections.{name}" for name in _ABC.split()), "collections.abc.{}"),
    ((3, 10), "formatter parser symbol", "ast"),
    ((3, 11), "asyncio.coroutine", "async def"),
    ((3, 11), "binhex", "binascii"),
    ((3, 11), "gettext.ldgettext gettext.ldngettext gettext.lgettext gettext.lngettext", "gettext.gettext"),
    ((3, 11), "inspect.formatargspec", "inspect.signature"),
    ((3, 11), "inspect.getargspec", "inspect.getfullargspec"),
    ((3, 12), "asynchat asyncore smtpd", "asyncio"),
    ((3, 12), "configparser.SafeConfigParser", "configparser.ConfigParser"),
    ((3, 12), "distutils", "setuptools, sysconfig, shutil, packaging.version"),
    ((3, 12), "imp", "importlib"),
    ((3, 12), "importlib.find_loader pkgutil.ImpImporter pkgutil.ImpLoader", "importlib.util.find_spec"),
    ((3, 12), "importlib.abc.Finder", "importlib.abc.MetaPathFinder"),
    ((3, 12), "locale.format", "locale.format_string"),
    ((3, 12), "ssl.match_hostname ssl.wrap_socket", "ssl.SSLContext"),
    ((3, 13), "aifc audioop chunk sndhdr sunau", "a package for audio"),
    ((3, 13), "cgi cgitb", "urllib.parse, html, a web framework"),
    ((3, 13), "crypt", "hashlib"),
    ((3, 13), "imghdr", "PIL.Image.open(...).format"),
    ((3, 13), "lib2to3", "ast"),
    ((3, 13), "locale.resetlocale", "locale.setlocale"),
    ((3, 13), "mailcap", "mimetypes"),
    ((3, 13), "nntplib telnetlib", "a package for the protocol"),
    ((3, 13), "pipes", "subprocess, shlex"),
    ((3, 13), "typing.io typing.re", "typing.IO, re.Match"),
    ((3, 13), "unittest.findTestCases unittest.makeSuite", "unittest.TestLoader"),
    ((3, 13), "uu", "base64"),
    ((3, 13), "xdrlib", "struct"),
    ((3, 14), "ast.Bytes ast.NameConstant ast.Num ast.Str", "ast.Constant"),
    ((3, 14), "pkgutil.find_loader pkgutil.get_loader", "importlib.util.find_spec"),
    ((3, 14), "urllib.request.FancyURLopener urllib.request.URLopener", "urllib.request.urlopen"),
]

GONE = {
    name: (version, instead.format(name.rpartition(".")[2]))
    for version, names, instead in _ROWS
    for name in names.split()
}


def gone(name):
    """The removal of a dotted name from the standard library.

    Returns:
        (str, str, bool) | None: the part of ``name`` that was removed, a sentence, and whether this Python lacks it.
    """
    parts = name.split(".")
    for count in range(len(parts), 0, -1):
        prefix = ".".join(parts[:count])
        if prefix in GONE:
            version, instead = GONE[prefix]
            sentence = f"gone since Python {version[0]}.{version[1]}: use {instead}"
            return prefix, sentence, sys.version_info >= version
    return None
