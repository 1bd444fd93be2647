"""The weights of the network that judges backgammon, as it learned them from games against itself.

It began with random weights and played 560,000 games, taking for each roll the play that it judged best itself.
After each game every position was told to be worth a little more like what came later: TD(lambda) with lambda falling
from 0.7 to 0.6 and steps from 0.06 to 0.003 [Gerald Tesauro, "Temporal difference learning and TD-Gammon", 1995]. Games
ended where the sides passed each other, with what the bear-off tables say. No other program had a part in it.

The text has 256ths as whole numbers of 16 bits, compressed, in Base85.
"""

from __future__ import annotations

import base64
import functools
import struct
import zlib

from zermelo.kernel import Memory, store_real

STEPS = 256
"""So many steps of a weight make 1."""


@functools.cache
def contact_weights() -> Memory:
    """All weights, one after the other, as floating-point numbers in flat memory."""
    found = zlib.decompress(base64.b85decode(TEXT))
    numbers = struct.unpack(f"<{len(found) // 2}h", found)
    memory = Memory(len(numbers))
    for cell, number in enumerate(numbers):
        store_real(memory.address, cell, number / STEPS)
    return memory


TEXT = (
    r"c-rlo_n%eO)rZ%)cY5zLFayH?Gjs-#DuRMEX~8I#2v!UljZvd9me^xgd|!?F#%N4pV(*9=B~qj)9qD~~Z%m)L_pJ9>oBR*{;_w;f-gD00d)4n+d+"
    r"l}3)Rj^sZ|X1P4oQ*qvPpO7-O?L=Lk{WzX_W2yzBcOLrA&uuo<!*^eNg7>7#SnWWR`SlzSQbY-KHJdpsDhy9@Ac}(1p^ax!m!!NXANnTrAnrqbbs"
    r")36dk@B`8(QnkBiCE+NL$X}896w_Z=_*&=ei#LFpFp6M%@k}RWTFf;DZQtc!4I!U6XkrgM%L}>2S;~LT)&6X&MlMbE6tQWJ&F^%S4GS}jm@jQORd"
    r"IBD5bcO_=O`xn6dODfc{?B8sBvx50gJib!m95aLaMKHAdvrOY2gph2Y1ebbLmqK5oYi8aRo8H*Qwv#hfVAjD87LP(?*{mbU{no!ysH=UY=#_19&L"
    r"IdJRi|0xN1jAb&TJO>^h(z6TXUND3k@@Geh#EzkH^iWXTzFSUYu(4n<05K=%O+$Yt;%;_F%s!uxn;PGsf;K1It2*@>(=kx~%J_mkThmn{_<$-GOs"
    r"66V_(5{o8+Xf4b<v*9F}5yOyblFX1wp6Jys{)M6SdMHbW)+qFH4QsY*0na5ex?4Yn!)~1gH7R`0l{1-lA>VSvq!;ElQZ8bAKQU_B^d_!1A+KWoCL"
    r"n{=aM-LfSwDl3eWehKS;CcmJlnzgA#K$Q7~2oI2Uz=Neydo2JWoeM&t^2#$oeOsFq5$(B!=}o>Bk&B+QRP%?zW?)Ao>W%onlvp$uz#jGOuYd0+~1"
    r"H5XL0PIG$UCW%j{_;?Q|7_BjL1W<y((9@Qt1(g9?(0IQB=t{6#W{cEt8vG9~GGm+CmxJcq}uhzode!U)A5+x0(H0g8DvX}8QSU;L8Mc7TbF2Lgop"
    r"u+5|N0-4xj+8RC6)!reXJMJ~?n<}bj}&$>+XCz}21}fY#g^+FG~Q3nb#~UGS7Ajt+%r20X_-!e!c@3B#*7cb?GDzT<M=Pr%XzjO32nl<&u6T0b2Z"
    r"kPj17bw{fDvYu%<Eo2>QGquJ@w3S?EEL-qWn#fZcw@6K0dyj5iNx*Jf5}Li>mH9CVqCHLpb<4<ng!v@(->3I%_VQG73!KO_IEky8xvosV^u@vQl5"
    r"jQqfOlYgPCLkiCz#|G#chTQifv(4CCll~L$7$);TmK^9#!`AQSnP{FE!20Rf+F?ARPHoL9=B?Cm(76rtcnnQ9>Pz|%D~-gSg4j<!Ui=syH-vF1aC"
    r";O>=+C+*@DvZbFF@MSSl<TSpnu{{n?9niLGMs#4@d@@87z15#4w3Oy1Vpi&16&(+UV7TP%~0Khq_EzukYyxjBn7}@uL<U2><m^d{C3*I=Gm~T(jX"
    r"C{AF|>_-xVVk;EdT^&ArY7P|k8t(59qthAmPPw93LVhu=ol@6D)kl8{svtE}#$rxtGQ?$Q4Czt6BeiV0}(wAha?9=)BKWM>zHe)TTu(_q+{32}Sx"
    r"AHDg;36cEFXqqZ<GXLlVqG83L`sk7cDWU~+~t?ZJNhEFyWM|RSLs-7^keX`<KX3C9f%&MfXmNln?B*KkR{$1eoi<|e){=we}X#4n<>k*B76>3^jm"
    r"odyW6C1gs<@8Wv@5E+pSyuplrehzw*D<YjuSm?F}Ige<Baa)95=NFR#=Ou=!rReS>}nGEN0KHWDF@fQKFW0%+=!BMic;%89NYfqgmnK^K0OjCJ?m"
    r"TU)`nIK1QtR$|!G#OQK9<zvl;Qb%>ai%pG0_ZP6t80@_gw3|oF_L%jA^QB5+Z3TF=jEFV@Pp{TdE{Zkl+sqv6P`XIo=Xw-q(!z)kSZ6*N4XzEtqu"
    r"aRm1K7Qi7+nJHosH!xDDaf-0tH4(HJ-JO&%MyzLVS-T-sH(4{PlaRdk<GDK$Q7%KRlGc(FFXn3c1|sP;4HEb}kv!PJA;Hc?|@|)4|S0BJx_j4^N9"
    r"_R0%X)$M`7l;sRpIEv$AKShY`Y#1BW}*?;6pKM-oR7`_!UM;F}OEHA6Y(~rUad_27xUi(8&J@VSZnnC8T*3o2Er65HQ5*i2ZKKdTzFy}t`0@+2u#"
    r"ZpjbA^eR1@9a)DS4-4#w<FMPcz%LxZ#XeJf!U(ua-OxQ{s9upAzu9oub)p|FbI5XL3&kCSqg<Ci4Farxrlj=>3F%2@5#vFK33_{U&}u<0<4UXYlt"
    r"(~LfJU(wLoh#D^?=26m&WO9*X5Cb~XVTPZ0$h^eH6RtGCK~Sm8NX+@<K{5-ei^pX;!s1~k!#9@C*F1#MfVupUj$MB^SveHRvb6sz3`-Y!80=df;}"
    r"SWeT#^R-xA7`tfV`zh!Q$P}I|0Ym$f8(2>C8GHuhNqHW;yn(2EC;VMSbTwKdp|Og{(}snnV#zt+;qQ^=Dk8;bqDL4ze*is%$$MW$R*R7NV&+`HXo"
    r"1!svN?iHMG@m_T(%G*7T02>v#^gbjN7K`;5CtG{3g=8mgmg&u7?Ygc_L4AVSNesNeAB!vBm)A--^A5p{f$v8ptn$NbD9gc0GE#l~tCLoml3djD7b"
    r"w31;EHiRd9(CUO5b{#1^>_8^xAXpSWAK1&9B4^K>k|8tQ3^GJ6B`cWcM2y1UtvzBN$Yvp@AGDw!M8S{WQ6%-jsjCh)OlY;eBU?)>#IaqQd6qllxX"
    r";|xE#^!?<VWMdht9`{zU=x<KiMuiQ#@k4D9BZc|<9Tp2k(DRo<4NdYGuh}5#O}W6!!nyFBJVe7_e}Wsqqh)>`s$6WKS8czgyot8CFGZa1?5ngk2O"
    r"w0uJvfGQJ+C0Q{^IkfPCV7Fz<EmdSo<6SAuoZ<bJHHn~at0+dqLFn9o@bJ6?W{Y|lh17eLXuGDuVLrs+CPPkJWtHh(QXFqy1&6B*n=bhFn#jxY5g"
    r"x*i8TreY;$;_cXjUo5wY=)Hcm_R*jg25uumS?~YAs-6syf8m>7=_Y;Aufn!R$mi@K>WJT^;Atrmxzt}KugD%h+mDl<=_I`?a0Te{JO7lth*w153y"
    r"aBpKGa!$5BtJV67AiupYf>!8E(O1Yr}sa=UVRH7w%%E@%n(b0i1f<-|5|_#oj@k?R(@y{WQ%_lS{F+r<kqWZ^ei1k{l%0?5&byZ>j%iIQypn{3HL"
    r"og7?mp|6u(E#Jah}SY<!<s6P)q&hgf>$BhD^p2fop$XoN}Ci2=(bsw>zm-x3ET!=!~=cw%u59-ZCU=I(oo!c-F=PJ<X5wIcFJHpf7sKxaZP}swh8"
    r"t}Ynj1GXJ_vm?eUA5i;R<?t(1F%Q4<!Qw1rFi`=hm>oH?uAg&4vw8<u0*1R;wQ(+{fFYyRr+^mH4c(NohoR{hlT}M^y@s|jn^Ir;leKd+YTX}t5I"
    r"0>MljUs3{{{+J$Ex$F@=3YEc?44YlQT6ytqLRk%#2t={}>HSYsg3FUZ}UtQA2VKME?F=a1l-e0Ew1%o0gN>;=`^z+we$6Y*cGGT2^wIG7skawDsh"
    r"3<Cp>fz=J<2(84p{YWvxVRkRlsRN6ncp?tYl32Y1IgXKj4%PQCzK8Km$f6Ai42KunQRKjR9LU&19u!H;I6Za{h*E)`3cxy#^~3rf&>^I@hv-q0=W"
    r"sA2muIukO$d(K9D@1G+(Df6i27A<GoJNr|J$X1Mrxfz>*GAr0}q4YY^c~?CYE)Ty-PmddeLh)Qcrff)pFupG56x(?jB?wWanGv>KN_ZG1*wW4nbE"
    r"Z+$BM0mROZ01Xp=z<CNQBDpnB>-nBzn5jj*ZJSIbZ0RBTrH~``XSuGzfi(LLwNBl}c?;g3;Smq03QJz>-k3g3u&mg~1{BIQ^!Tw^w^IWpNY`86T^"
    r"@v>g(rGdmNyhQ?lg!cyu6;s;k9T{=7NntWf7%WA`^gQfL2$$L9;_>!7*#`*9qsb3R4h8)RT~sNCGo%29O}`2Ds+v2pP=JB6?(0{6^Hyf;eRrtPB^"
    r"}!7`qn>G;7Ua)Bq$CVm<r57iuezdn~qCAim3dt+sXw>WX>Jvcg_?F-=*F?}5fNz9k^RNdCoRd6vm4S5x4>Os#?v=Km4!Da>Yj@k%6r5-ld8n?mM{"
    r"g{M+<m5BznIg7CvegJCQkYfN#&0sb|n-Z|33`;qM#n%usP0y)#r)jwe%2Hh=FAZNC1uYF~8C*X{RR(#;F|=p(jtstga5sQio3US$XB&Cr0q&KlRk"
    r"30jWl|_%_mNK?Q{ucZ1HJqkPnhJqC4_ARS*eqZBLxo3b8?a9e)76~SapZm4kQCq%0ugxCwidXCuny9axk6}Ty_)5+TF}=*qDPBYO%pCkS7wqE<vw"
    r"jxS9lAO=?!QN-vj@_)Z%#?STucPZU8<H=pyEp}&~rnpR7B=0A*&BS-L9aW&Q)C;zLzftCiijl;s~8C{P&%_BD;H=obTknBL`H7#)4Uv`jP#*-7gk"
    r"0qSTj_*~p+r#G@U3S^U$jN9nUw#ALHIScO%<Q9}B9(QwBBS4_%{W@$12sFz6V8Y02(pxO#E>ioo?3b80Jw01y~<dwZv;#3M&=iz=Xza2junqbt!7"
    r"8?)6b9l^A}yoeq{(cU4!;+b=A})a=Me`g73)+cKETNdL))rgALpcVk{u)Z@@agW7mHOYcs$56M5q){Z`G2%kZ6K`J5fZ37w4>y^5{ZV2`<2{4Ols"
    r"Jl_x?guN$VHwk3;e<XhUc<W}hiuO>fV>NhS7#%6kW1T0sQmJ3+ZnfBT0-R}8i)=X{U$XpLZwGywSovAzh#|)x2<lk$9gAgNX%#8vXoAvR;7J8|Z2"
    r"Q_Ae0?X@-K9_CgZ=TRb~2bf*zRz5`j7{{j|b^2F0W^%Pod4?l(3J8A_7jrvwa<cov(oIk$i4e+x;77F<@;A-a+mRwj9xCK#2E{i|xbmp`sl>ndNG"
    r"YL*V35G8;qt8u+ta=43eN3xxxDHXU!T!NX1>-Gkt46H=?gLo3M=CWuu@n((7qmzPxWe=PK6LBAqLi=}bU5ySU1{LS+BEYK^!nl>VXx$}7D3Aj#XZ"
    r"xI2)S=1cGP9>4i1<2Nr>M#=NVZ~NgAIOHLb~L>Z{O(3NR@a#;7Hy8hy$^>LKX$O{DCn<JtIBke8Ck@sa<!8VmnX!CMdnoK?O;rUtGecawRRHJiLR"
    r"1dmAORM5!n*m-me0kl)}H&U$eN|$vlnlWD$2JNNg4EXlVO^9cU1V?Lw-FNTLF++SoJB5vv0<Aiv32-BEWp$yGEX;p8y#Q*6UBj&#O%@;6ShoxL=W"
    r"BQ_At`rs*oO*X?#oRf2=SXH3WWnf3awgRMB1VwiCbT&58>-6J8a~eJrLBxuOmnwAmXS^%T%^q^KsZzBQqf}O?RFnHII2#OwmLK$zyH+umMaXuZ-{"
    r"UG8g;=8T+ks?rh=7A#T>XLX-Ozpz{(WY$?B+06TGV75faY$fwV1e%r}m*UtFWYqW#)spA1n1PZhO#H0reJvEHCZWv)s8&I+P|756^J*gX503di<w"
    r"LEt@Q09{ZaN{R4=ow)@|STq0feVfjlI(a|(q2}e!X_)H|)=+5anu`@ekG5@jL+)k_Zf;tVXo`77!%vO%9+VP!y5TcxU&X(`tHy_S@mlInB`!JrDE"
    r"b6eSQ!R_JJf#b26WlqEIQ+4Fi+Mq_+Fi4xsqAho$3B8ow}TPKnBkbK>rKKgr{ld{?hI%uo?GJT8Ra?wOV5R(1hLF+hZ?q(f}o9R7C4eIX{^=EzJE"
    r"9ptwYvH_-!^c4a5e=f(|yTRmtq^Yy-BG0bW#sNNI3bB$jJ6u|gLaWf}ZNAo<B~-wCC$_-tRKV?JR!uJJ_PbSyd*Olrb!Onyhn-J@g#I=q`FA{ajf"
    r"Ee~aeOtdzE84{TzoB1=jQloZi(+Z8veBZz<NqBXG<8?lBjYCoi&_4t@S0cR@WEaGuhGO$&t|n*_&vj=t-RR$EmRuRe=uXgiuNnmdSZgeFr1Qi{{V"
    r"4+fxIfiof1A))kGx~`LSNAH?P8}@cgrHQy4wE}8k{E6y)9tzYcf&G<w2dQe*z1pVNuaymG@|Oy1N!_4o0gVks+85ceoh45Bv+tS73J-92gEhZB#o"
    r"8wUa8VAXd9N`YAp=4u<xDrq{6P3z)M3l-kRcPr2TOWzXVXoU6Y_V?9~e??$(iKYfN<&F<g4y+PmN&MRV--ZC&XN4@}Q3h@Bj&!);Z<PVv6NdhaI-"
    r"&U}GFDsPk7trN%_Z4W~jn~wHB%d+zTd=Pff2~m4*MALW4r2CPaLR|{3cOPAnxnemztQ<wGMe>VDFOMcGVv8&-JkLMUC+V$_}642oq0zHIh?Mi8&c"
    r"m1kFlV}LyUizQE%(JdNnfGraN?|Oo#R|XiX7|oMZ6YYPHi3+b1NWi6+*w)7~PtlYU=5R;x1X0C_ecd)rBraV1h#!BGYnQ0($BtJHO&s|JwVyxF4k"
    r"6e9kkpieVW{hr+8BlbUqNUub#_VG`sw0%u~vGWtlt2)s@Gx5fDIj6wuVsP*>v8sU8gl59=Sy)m6bXa%7tE?6!c7Blt4-t$ExqNDeo4pm($b$dz@("
    r"k9|Kt?oQ{!b^eejg%=)pGxjr=meDJIxM=^<P*wgVk=@)gn?c*DA5-m&i_Qb*s*hmx&iSpxn3IPnM^6#$vbekS11@^wIARAg<M>yUEDn(Eo6G3_II"
    r"QmOD<~M291x;JCAw$FL~HDv!Dvb_63LklJy5mF&ZE+BBq4LUdfB>)~k^Yrn_7$1vAoXEy6cVSWA4xuI(mUJ--+mt%dgt~zd=AP0#8kLVf@d^5JTO"
    r"3#7beqv|k1LXzeoy~lEkdI}fzQ(&u>Yx0zbBF>W(H>}dNIyk>+raL1;CvtWx6}R+@+@3rp^x3fHmh}*r^bN%@3<Xn2HI;OC&^^|M`&XM`q+W|Goi"
    r"}^=_j&&E9>VHA?-}u@`*TptMm=V_{5JQ_&lL@F8nW^{DfbNgV`?nr!vorXfGE&zD7FP@RW-68f~9o&DN*WS1d0`1`S?AFPoiivfREt2{{dyCtQ7S"
    r"2s_br@M95jAbcmXpABK>tK2>y0cn53UO6cDAj3u2b1zs?Os=ulooN&>-}m~Aj&L0*8IG<Ucu$W$;;KW%%=!-UPbL<BL438&obA|2AF&wQjs`7z_&"
    r"~*F%wzDbzM!X7oBjX~bs%FeJMHxj8Me7BBg8jFt8<WI*u~d+_9{_a56CZ}$IiWyko;}fQiomw4t!6>pM~9(S>F{X^Rdh5FX72ptig5~=C83x{{gf"
    r"+1(`;Yv0RH?*6H<VbiY~#b}Oh{imb}@B{f<vmE~d?=q~*V+~|W3#LGkc{TUL>2b+I}m$zYa{o(T<dVd)@e&s!Z3|@8TwF~4)C>+m|dznx0pv@9yz"
    r"fh@*Wj0bv@V-FrqtMMoa-IHM=6b*J-}MH<@#}sqxyWrY6RAH>PB0qJ)1Tu1kNopUV6gWwKDL#p`yX$y{@SnC&*X2q6uf&-mg~6iQnKkrZT9++3I9"
    r"TF^0!N*{@||!$4BD5nV@PU_SC7ra;LC^$vv&NtOV;Ul6hEm8lG8z%~<b<#oBzi7GJ9X3sV@IMpTI6Q!8;Q&vk%V=0Du^>7;{J9v=S|`QlLM39y3T"
    r"CAaciHwcp>&tXfpe~Jflqve0_l}sYzCZesye%m_-@Sv~o1MBCq(}y-YUB{2i7YB(&;w@?w);4fz9dmUNt3D&&UkAFS;gb#c@_OjGk(ulivxXIa21"
    r"bVPhKWSrd1NP1tlmsMd<aZ!)&=qgc)bqP>%;W}#IJud<_6ZXJZK;BafzJE%rUYUiXIfJi5Oq?`X#>FuII@m(0df`wK#vbE@#$K{VPcG3NrmbuL3X"
    r"bg{zP*;aY!uyTnxiHX{2nuyPS7Fb9<F)@FC|dmXaBN{ki(->kb}BN~kYs}>T`tWwyl+riYe&{svqvH+f^$Z2fr1+}h4R<qnr)OM8t*K=s68c}Gbn"
    r"K*lb82vr^T%&(s{BgCbXSq6I6-cy2F9)43ay3t@Uq*8$0=r9R++eYewtYx?3mkk*ysGAtooUa8|9JQ~teZfrL2`|pLsk=X=NIeHR~Rl1s#Upde|`"
    r"w0M0&(}i&t}5Z<ec!Z%6t&h`oiN)+lx@&Cru0A2Qymox9M=U~ta*vA!f?*e*5XY_XA<!!FaYT}}~WXFz`dOU@#SZ6S_DBhU5d?F<mH8YEszEPaP)"
    r")QG%qcHL`zq4pj99D44Q$K(oTox}Jx*1Qv)B@qv|fqoWy;^psX#VQPGE+e+x<UGbl!s#9~IFZ$tGd9!hTJzD2Rq`v4+7u*|3{94iwn3Mmp%B>Jqr"
    r"WC5Rw2=i_~JOw`In3z;kq%-g>LI3>juvg(XgFw9AF*6%IuWdYF=G>ANr{z{;%c!2)RdALh%56F+)bPzK;~GvTI$SeO)EG2HJPPe}&p9^=@p|a-+w"
    r"I0=cYohs+gw&Z=5g)3I#$xL$yEB9OmT?%z?{#|Opi+<Ia@MBB;u{e5t=Nxvq-HKT`2x$D2@Xw&6$E%RT(?goQ20~j-eE2>}XT9?aALXvBs>aeRZ{"
    r"@(SnSiX0GJHyGtb1QU#-mTVCU_QKB-vA}T#I#7S6uI6Ymm$|3x?JxEV>)F%Yp=%lzJZ%xGtasB^fvzymj~@9XDHPVq1HMKe6qEL?4WK#uixr?{g~"
    r"`=h-cdTUjL?R(8a6pd?n*=^smR-GU4nn{;(C>9*x!a_tqla6<|~xo^qo$$Y1m}Z!4017ajjqs%4NTa*KSavHl7*EBl3v@rFnp5}Uw04|=a-v-irS"
    r"tZy~aptnTd^d18Z??69qNRjuccN88z(9-Z?B-Q};A9*XJR4$gO$Z@N;3U7LgJYW>uydYD&jsC#EbkJ-C-uW`oepw(+ma_gQ;oFdE0jpo-U5Tv@@h"
    r"-$xc6;n5^-g~!e$eCJB=35Y{1?1u{L$z!9TZkM;2+Ur@V(5p^NpW=e%zl$-e25_;Nw`*aqpKJjn7<(=Es5<aYVAg{&{Nk*$cfr*f;r|tLtBf2fqP"
    r"IPm@nvFIyBIu$&!<_3PGXp*K=CgHMTa6MlJ&sF8%1Bw)3rjI%zzg=$^GK|EwH(Zjm7n}`!%sKxbC{T>h7q;|5n0{`j+wF97imRv2?1C|6nuH?!9R"
    r"<+vHF>uK0TC-%0TE}rMR%_9rnfQA)UfdTvh!^Wb9?8g5&?N%vk7nnPER)6JS)1zu8$l*;iqA1vx1H5SyH0XLsC~?o4tfq@{Yc`4oo%HOk*o{A&f+"
    r"`Wsc;H;OP8yco{kDJ%x(Lcd_Io^H$zZowb3e9lTRcbB#TAkE=HHTs`qa8CM6(R9#O{Lric)GhhiL38-Z_Iow*rKTU;k(8d*ptC}#b0HAFCbyJENN"
    r"UdX{Gt#i#Pb1|-F*T$aqbQRfXKgrXbJawU1?|p_?clR;Y50Ld)w|6{OY-b<gVxXO{9sn`ZT(!XVyH?BV=FWLY$7(N~M2X|@&<gr?puKE&l5XdKRv"
    r"$S^{<Mw#XC9i!aGe`_S)+|{SG%2R3|96}wah?}Ob5IScQt#{iRBx0?4(yS$4KPg>UKN_;jtB2+yFv_&`b&u{iLgBA9m-n>0s?hx66uj`|>m8JDn-"
    r"^9zdk)7dYT(ww=x-v}*QHuBT7Stt-sx+*UcVa|o+#RgfX|Wp`D?tcfmzsQd4JJ=xWetjA#`xmp`fZh*4y+?nfCv2G1dtY>5f$Ug=uGm$`*>xJ*&|"
    r"0cam&WDb^NUIifu4A1(+%F-{btCh9G5aflqyE^PeYV=ZWi_?#oWjmM`ih-(C19VY;J*(%Ml<^`<W#B=u8+Yol2&9eK&*@75LVKSjbt;X%=KDYOte"
    r"l9>o+M^>w|5@?%L6Ji+d-hglkqavpacc>X2FuK0?f&vdI6Ur5{gs;l+dT_^|67=)u#o#m>s2-HExtWe>C18P0GtVxFA9I{jR~f%UkQz<(#RnDoDc"
    r"zy1>CdKw~J&%Rkh0@{q@ZV`I0ZiF=U<vl##>S}k^OH|<eLy&T-J4YV_Jtxt$)yUH%&%GzK3%MonTpcp%!qUp2st_wa%JYe6!Oq3b##_fRY6j1nW?"
    r"GP4n_3^jQAQ_{Ijm*f0dTgK84}UWMEJ8ad#mNyn>M9nzv|8-txjd9Mw7{LPNPE~S!g)|S<NZ^yV_ZJ7WtO-I#@T6b!u9T$2u=Yi}i{O!oy0*c1n?"
    r"^_4c%o^Jo6|O`I37B73)|knC<Q8u=wF#=3Vx?7f@m=&X%<)nxRy;JIC{R#}eM{8mnPV0`3G6F$MB-Ug?WK<5Ma-d)VUS0}^6+5ELr!_Sa<AJ?ZG1"
    r"j}EMdUiji@h=%)Lx$In%pnhcW*~`le0nqa@ZVT17h1ZI-fHA!?{&>Zx<TZ6yV~C8HgtZqJFWcb=g0ing8y0H%N2aS#4FcX<kYcZ73Wjn+$Jsct&?"
    r"xGe1nyLsYmo?b`WJe(@Q?O4=?+WY%_^DD)dqL2+vCAxnpR4y;^LVK;~>`xdqIm>@2N*xyIh0QtRI-!l%B$3+?o3KUv4WKxKQg>WJ9R=Ahb1+qodz"
    r"VXS!v);kZx7%28O*?oA`M11eCeg$^fN$4@XLf*q;>Y4d1=&5wbdA{rZ`x<LLh<7XT*SePS<d68{EU;$)bO*)yfbBG6E!cAmBwQ-CKmLwc$H74boS"
    r"ucBnP2YLLRWixji-Lc`Y~c1;;*t+uZuIa?Em`W<8~%0VrQF$`0=AU-eI`qE8|@x`kaXL7??Cb>>Z*tAZ<0+a37pljk!*3r)X8_zG8i5&$6Ex2Tj&"
    r"tXtm=eWHe4}Uu*q^9_X;2r|mQ|3ktJc75J34xH@N-dkZoa)XQ)YF4w)0Si`PzILK{1;2rvslUfWr;*(nAI_#_t-=p>>)P5aGUX<_NbSNM`*?FM#5"
    r"oNPS8s^S?b6q!IE;dr>P6i@euYm0cjn+f(W%bK3uB*=K6qXm|NUb{q4#DvuXs=Z}xjewPwXVu)@5Bvcy-qA6l4xP`T8<*DvCs7&mh+sCv@$`ZgYF"
    r"EyUhU+z7hN4j%eC;533u(xHU^q3#&jbec0{0=)qF%kE)ysLucF;sem}Tw!geS$yowa-WiVQYAvf#vD`$K**6%~JWrGoDqCeLssAXQ($>m{7jmTz{"
    r"*jp3U=kTH0TdBFOmm&_!u}s)@%m+cn`Dn)athR&u)>j`ZmJM0V3AxH}wL8x;dB+h$f~-80C|coWG|RBw4WryT&T7<p?sBmFop5TE1$)=ka>^6Pa2"
    r"Iwrj4N^QaYVOc#a-<Av-uW_j7s1<m6`Xe^@TROUVVF$L*Uj<Z0hj$Y_aZH>wyb9{LW<UDz$z=>%+BksLgml2+71_)wvSwdO*Hl?V#&I9D+ow18}3"
    r"B?r)ro><ZxGh$gzXQoDJw(#>Q!Z;F_;ZXkB;RI902hLVHlSr5-vWZjNrM#)B3u}MQmd(_Ux!}v>@%Q@m*R^A6MN)hXhu``w)_ugLs*;V4@Da3v2v"
    r"a`HnJJgkuXWHqcaqhA5XySAe-_!XVNrvUC<v%$t2eS8ccH%Kp#q8Ej@QPi>$8l_EG1rRWFYF@uWXW;)-C^|G$JJzpV0(FP=TpNP-?(%8XmS9{D|d"
    r"jW){ori`f=<X*LYX+9LRk3zNT5`aF;(8u!G3}9V1*fv(+@!b>4)T|0KGy_hed;iD9fE+%7fB)xBA0-5cHdFExL*4v|Dxy)_)z!OC%D3?in*QOqz1"
    r"{5ynqSHnR8@;QcIZsVCk`51nzyD0>f))iotCp(?1bJd{=xHpfAg7-1#INzNzSzk*$HemaZ4CqWnYCrw_xIY`%o6Ye0k?j?dMS8MFuF{9~YyWvo_U"
    r"^!vo(?Y6>mvJFe~~{$>>bqUAnZ7~PA<~Rzys^&cv0-UZ4r9kqDw)XfV@e5_`RO*-rP1HD&o%T_>=8?zaxk3Cm+a_dLG}O&<){{k@4R7GAI07`L{l"
    r")Ps&_<)4L!0S{c3xi`)cCT_MZl#lRR*c|05&D3-_l$l!h*6)Ki@^$&quiO^MYo_CGkA+HCvGyh5*=iRNh;q%i2-Ql|;f@GchLe@u~6WFA!;pe>#;"
    r"m3OK!MonlWfIT0GxT;i%aek@XId?H`#tiU-Y>hMGevzq{|a0jflprTtqf;NqW7qOqkj^sZjlH5q=3CsKgWOA3+NrXRsV|YuGMcO*Pkr4{x77=kMe"
    r"3IGVnCn^V52{oE7N8+e^J${1>E{Z0F5z3UUg|Nq?f;89tz6yy@}|KJs4R5_v%{MJm^O@iN=*Bop~U-;}rf{(eZ#4?K-G4U?Zs&|i)Gm&j9U=Lp+%"
    r"AzA%Ad6ej04p*P+{J_0P{YnsTJQ>j=WM89@a*uxuZOo8oG*>T_ONjT&(BN3FLLXwx7P&!}=)>5?C%QCH2F{H}N4M&AvY4EInQZg#@lT=u{bYdY!4"
    r">G}1LSj~-YXA+sxPqerE-sdt(-yDvPl0XD<#^qvx&K2-#Rj+C;fj&9v0Ez_x8*V{XaZ}(^&"
)
